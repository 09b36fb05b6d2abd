// Chromium, and pages that remember what went wrong on them.
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-precise-memory-info'];

export async function open() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS });
  return {
    browser,
    /**
     * A page in a visit of its own; `faults` are console errors, exceptions, failed requests. `without` is an address that is not answered; `script`
     * runs in every frame before anything else does.
     */
    async page({ without, script, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', ...options });
      const page = await context.newPage();
      if (without) await page.route(without, (route) => route.abort());
      if (script) await page.addInitScript(script);
      const faults = [];
      page.on('console', (message) => { if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`); });
      page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
      page.on('response', (answer) => { if (answer.status() >= 400) faults.push(`${answer.status()}: ${answer.url()}`); });
      return Object.assign(page, { faults, end: () => context.close() });
    },
    close: () => browser.close(),
  };
}

/** In the page: `listening()` says how many listeners more than at the start are on the window, the document and the colour scheme's query. */
export function watch() {
  const open = new Set();
  const ids = new WeakMap();
  const id = (thing) => ids.get(thing) ?? ids.set(thing, Math.random()).get(thing);
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  // The browser's driver listens too.
  const counted = (target) => (target === window || target === document || target instanceof MediaQueryList) && !/InjectedScript/.test(new Error().stack);
  EventTarget.prototype.addEventListener = function listen(type, act, ...rest) {
    if (act && counted(this)) open.add(`${id(this)} ${type} ${id(act)}`);
    return add.call(this, type, act, ...rest);
  };
  EventTarget.prototype.removeEventListener = function unlisten(type, act, ...rest) {
    if (act && counted(this)) open.delete(`${id(this)} ${type} ${id(act)}`);
    return remove.call(this, type, act, ...rest);
  };
  window.listening = () => open.size;
}

/** Asks until `question` answers something true; the error says what was waited for. */
export async function until(what, question, within = 20000) {
  const end = Date.now() + within;
  for (;;) {
    const answer = await question();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

const computed = (inside) => until('a number in the calculator', async () => /\d/.test(await inside.locator('[data-answer]').first().textContent({ timeout: 20000 })));

/** The `index`th frame of these, as soon as the calculator in it has computed. */
export async function calculator(page, { frame, index = 0 }) {
  const place = page.locator(frame).nth(index);
  await place.waitFor({ state: 'attached', timeout: 20000 });
  await computed(inside(place));
  return place;
}

/** Waits for the element's own sign that something is shown, and returns its place: a frame, or an element of the page (`place.shared`). */
export async function ready(page, index = 0) {
  const place = page.locator('crossover-calculator').nth(index).locator('.ready > :is(iframe, .root)');
  await until('the calculator to be shown', () => place.count());
  return Object.assign(place, { shared: await place.evaluate((one) => one.tagName !== 'IFRAME') });
}

/** The same, as soon as the calculator has computed. */
export async function shown(page, index = 0) {
  const place = await ready(page, index);
  await computed(inside(place));
  return place;
}

/** What finds elements in a calculator. */
export const inside = (place) => (place.shared ? place : place.contentFrame());

/** What carries the calculator's theme and language, and what is as high as its content. */
export const top = (place) => (place.shared ? place : place.contentFrame().locator('html'));
export const body = (place) => (place.shared ? place.locator('> .body') : place.contentFrame().locator('body'));

export const themeInside = (place) => top(place).evaluate((root) => root.dataset.theme ?? 'auto');

/** All computed styles of an element, as text. */
export const looks = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const style = getComputedStyle(element);
  // Custom properties come in any order.
  return [...style].sort().map((name) => `${name}: ${style.getPropertyValue(name)}`).join('\n');
});

/** Moves the first slider by the keyboard. */
export async function slide(place, times = 3) {
  const slider = inside(place).locator('input[type=range]').first();
  await slider.focus();
  for (let time = 0; time < times; time += 1) await slider.press('ArrowRight');
}
