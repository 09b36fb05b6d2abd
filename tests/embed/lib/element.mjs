// The element by itself, on pages made here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { shown, slide, themeInside, until, watch } from './browser.mjs';
import { serve } from './serve.mjs';

const LIMIT = 6000;
const page_ = (head, body) => `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">${head}<body>${body}</body></html>`;

export async function element({ chromium, site, stubSite, public_, speaks, snippet, say }) {
  const script = readFileSync(join(public_, 'embed.js'));
  const size = brotliCompressSync(script).length;
  if (size > LIMIT) throw new Error(`embed.js: ${size} bytes with brotli, more than ${LIMIT}`);
  // As a server that prerenders would: no window, no document, no exception.
  vm.runInNewContext(script, {});

  const load = (src = site.url) => `<script src="${src}/embed.js" async></script>`;
  const one = (attributes = '', inside = '<a href="#">Instead</a>') => `<crossover-calculator ${attributes}>${inside}</crossover-calculator>`;
  const filler = '<div style="height: 3000px"></div>';
  const host = await serve({
    host: 'localhost',
    pages: {
      '/plain': page_(load(), `<div id="a">${one('scenario="v=1&params=7e9&gpus=64"')}</div><div id="b"></div>`),
      '/twice': page_(load() + load(stubSite.url), one()),
      '/late': page_(load(), filler + one()),
      '/never': page_(`<script src="${site.url}/embed.js"></script>`, one(`src="${site.url}/nothing/here/"`) + one('src="javascript:alert(1)"')),
      '/german': page_(load(), `<div lang="de-CH">${one()}</div>`),
      '/strict': page_(load(), one('isolated')),
      '/snippet': page_('', snippet('component').replaceAll('https://YOUR-HOST', site.url)),
      '/fixed': page_(load(), one('height="300" fixed')),
      '/claim': page_(load(), one('view="claim" claim="f" lang="de"')),
      '/auto': page_(load(), one('theme="auto"')),
      ...Object.fromEntries(Object.entries(MARKS).map(([name, [, html]]) => [`/mark/${name}`, html.replace('HERE', load() + one())])),
    },
  });
  const visit = async (path, options) => {
    const page = await chromium.page({ colorScheme: 'light', ...options });
    await page.goto(host.url + path);
    return page;
  };
  const quiet = async (page) => {
    if (page.faults.length) throw new Error(page.faults.slice(0, 3).join('; '));
    await page.end();
  };
  const check = (fact, what) => { if (!fact) throw new Error(what); };
  const address = (place) => place.evaluate((frame) => frame.src);

  try {
    // Nothing beside the element, and no step in the history.
    let page = await visit('/plain');
    let place = await shown(page);
    const names = await page.evaluate(() => {
      const clean = document.body.appendChild(document.createElement('iframe'));
      const theirs = new Set(Object.getOwnPropertyNames(clean.contentWindow));
      clean.remove();
      return Object.getOwnPropertyNames(window).filter((name) => !theirs.has(name) && !/^(\d+|a|b|__pw.*|__playwright.*)$/.test(name));
    });
    check(names.length === 0, `global names: ${names}`);
    check((await page.evaluate(() => document.styleSheets.length + document.adoptedStyleSheets.length)) === 0, 'styles outside of the element');

    // A move: the visitor's scenario moves with it.
    await page.evaluate(() => document.querySelector('crossover-calculator').addEventListener('change', (event) => { window.heard = event.detail.scenario; }));
    await slide(place);
    const moved = await until('a change', () => page.evaluate(() => window.heard));
    await page.waitForTimeout(300);
    const last = await page.evaluate(() => window.heard);
    await page.evaluate(() => document.querySelector('#b').append(document.querySelector('crossover-calculator')));
    place = await shown(page);
    check((await page.evaluate(() => document.querySelector('crossover-calculator').scenario)) === last, `the scenario ${moved} was lost on the move`);
    check([...new URLSearchParams(last)].every(([key, value]) => place && value === new URLSearchParams(last).get(key)), 'unreadable scenario');
    const src = new URL(await address(place)).searchParams;
    for (const [key, value] of new URLSearchParams(last)) check(src.get(key) === value, `after the move ${key} is ${src.get(key)}, not ${value}`);

    // Attributes and properties that change later.
    await page.evaluate(() => { window.heard = null; document.querySelector('crossover-calculator').setAttribute('scenario', 'v=1&params=7e9&gpus=8'); });
    await until('the new scenario', () => page.evaluate(() => /gpus=8\b/.test(window.heard ?? '') || document.querySelector('crossover-calculator').scenario.includes('gpus=8')));
    await page.evaluate(() => { document.querySelector('crossover-calculator').theme = 'dark'; });
    await until('the theme that was set', async () => (await themeInside(place)) === 'dark');
    check((await page.evaluate(() => document.querySelector('crossover-calculator').getAttribute('theme'))) === 'dark', 'the property is not its attribute');
    await page.evaluate(() => { document.querySelector('crossover-calculator').lang = 'de'; });
    await until('the language that was set', async () => (await place.contentFrame().locator('html').getAttribute('lang')) === 'de');
    check((await place.getAttribute('title')).startsWith('Rechner'), 'the frame has no German name');
    await page.evaluate(() => Object.assign(document.querySelector('crossover-calculator'), { view: 'chart', chart: 'time-gpus' }));
    await until('the view that was set', async () => /view=chart&chart=time-gpus/.test(await page.locator('crossover-calculator iframe').getAttribute('src')));
    place = await shown(page);
    check((await themeInside(place)) === 'dark' && /gpus=8\b/.test(await address(place)), 'the new view lost theme or scenario');
    check((await page.evaluate(() => history.length)) === 2 || (await page.evaluate(() => history.length)) === 1, 'steps in the history');

    // Every attribute is a property and the other way round.
    const apart = await page.evaluate(() => {
      const calculator = document.querySelector('crossover-calculator').cloneNode();
      const differ = [];
      for (const name of ['src', 'view', 'chart', 'claim', 'lock', 'hide', 'theme', 'height', 'lang', 'title']) {
        calculator[name] = 'a';
        if (calculator.getAttribute(name) !== 'a') differ.push(`${name} is not written`);
        calculator.setAttribute(name, 'b');
        if (calculator[name] !== 'b') differ.push(`${name} is not read`);
      }
      for (const name of ['isolated', 'fixed']) {
        calculator[name] = true;
        if (!calculator.hasAttribute(name)) differ.push(`${name} is not written`);
        calculator.removeAttribute(name);
        if (calculator[name]) differ.push(`${name} is not read`);
      }
      return differ;
    });
    check(apart.length === 0, apart.join(', '));

    // A host that stores what it hears and sets it again is no loop.
    const changes = await page.evaluate(async () => {
      const calculator = document.querySelector('crossover-calculator');
      let count = 0;
      calculator.addEventListener('change', ({ detail }) => { count += 1; calculator.scenario = detail.scenario; });
      calculator.scenario = 'v=1&params=7e9&gpus=16';
      await new Promise((later) => setTimeout(later, 1500));
      return count;
    });
    check(changes <= 2, `${changes} changes from one`);

    // Wrong questions, and one that is left open.
    const wrong = await page.evaluate(() => document.querySelector('crossover-calculator').estimate('v=1&gpus=nonsense').then((answers) => answers, (error) => error.message));
    check(wrong, 'no answer to a wrong question');
    const left = await page.evaluate(() => {
      const calculator = document.querySelector('crossover-calculator');
      const answer = calculator.estimate('v=1&gpus=8').then(() => 'answered', (error) => error.message);
      calculator.remove();
      return answer;
    });
    check(/removed/.test(left), `an open question after removal: ${left}`);
    const gone = await page.evaluate(() => document.createElement('crossover-calculator').estimate('v=1').catch((error) => error.message));
    check(/not in a page/.test(gone), `a question to an element outside the page: ${gone}`);
    await quiet(page);

    // What goes leaves nothing: no frame, no listener.
    page = await visit('/plain', { script: watch });
    await shown(page);
    const open = await page.evaluate(async () => {
      const [calculator] = document.querySelectorAll('crossover-calculator');
      for (let time = 0; time < 5; time += 1) {
        calculator.remove();
        await new Promise((later) => setTimeout(later));
        if (time < 4) document.body.append(calculator);
      }
      return { frames: window.length, listeners: window.listening() };
    });
    check(open.frames === 0 && open.listeners === 0, `after removal: ${open.frames} frames, ${open.listeners} listeners`);
    await quiet(page);

    // Without scripts, or without WebAssembly, what stands inside stays: a link and a picture.
    for (const [what, options] of [['JavaScript', { javaScriptEnabled: false }], ['WebAssembly', { without: '**/*.wasm' }]].slice(0, speaks ? 2 : 1)) {
      page = await visit('/snippet', options);
      await page.waitForTimeout(2000);
      const picture = page.locator('crossover-calculator a img');
      check((await page.locator('crossover-calculator a').isVisible()) && (await picture.isVisible()), `without ${what}, link or picture is not to be seen`);
      if (speaks) check((await picture.boundingBox()).height > 200, `without ${what}, the picture is empty`);
      await page.end();
    }

    // A height of the host's own, and a claim.
    page = await visit('/fixed');
    place = await shown(page);
    check((await place.evaluate((frame) => frame.clientHeight)) === 300, 'a fixed height changed');
    await page.evaluate(() => { document.querySelector('crossover-calculator').fixed = false; });
    await until('the height of the content', async () => (await page.locator('crossover-calculator iframe').evaluate((frame) => frame.clientHeight)) !== 300);
    await quiet(page);
    if (speaks) {
      page = await visit('/claim');
      place = page.locator('crossover-calculator iframe');
      await until('the claim', () => page.evaluate(() => Boolean(document.querySelector('crossover-calculator').shadowRoot?.querySelector('.ready'))));
      check(/\d/.test(await place.contentFrame().locator('.finding').textContent()), 'the claim has no figure');
      await page.evaluate(() => { document.querySelector('crossover-calculator').lang = 'en'; });
      await until('the claim in English', () => place.contentFrame().locator('html[lang=en]').count());
      const silent = await page.evaluate(() => document.querySelector('crossover-calculator').estimate('v=1').catch((error) => error.message));
      check(/no calculator/.test(silent), `a claim answers ${JSON.stringify(silent)}`);
      await quiet(page);
    }

    page = await visit('/twice');
    await shown(page);
    await quiet(page);

    // Loaded when it comes into view, or when it is asked something.
    page = await visit('/late');
    await until('the element', () => page.evaluate(() => Boolean(document.querySelector('crossover-calculator').shadowRoot)));
    await page.waitForTimeout(500);
    check((await page.locator('crossover-calculator iframe').count()) === 0, 'a frame far below was loaded');
    const early = await page.evaluate(() => document.querySelector('crossover-calculator').estimate('v=1&params=7e9&gpus=64'));
    check(early.single.time_s > 0, 'no answer before it was seen');
    await quiet(page);

    page = await visit('/never');
    await page.waitForTimeout(1500);
    for (const link of await page.locator('crossover-calculator a').all()) check(await link.isVisible(), 'a frame that never came took the place of what was there');
    check((await page.locator('crossover-calculator iframe').count()) === 1, 'a frame with an address that is none of the web');
    page.faults.length = 0;
    await quiet(page);

    page = await visit('/german');
    place = await shown(page);
    check(/lang=de/.test(await address(place)), 'the language of the page was not taken');
    await quiet(page);

    page = await visit('/auto', { colorScheme: 'dark' });
    place = await shown(page);
    check((await themeInside(place)) === 'auto', 'theme=auto is the device\'s');
    await quiet(page);

    for (const [name, [wanted, , options]] of Object.entries(MARKS)) {
      page = await visit(`/mark/${name}`, options);
      place = await shown(page);
      check((await themeInside(place)) === wanted, `${name}: the calculator is ${await themeInside(place)}, not ${wanted}`);
      await quiet(page);
    }

    say(`${size} bytes with brotli; no global name; moves, attributes, properties, ${Object.keys(MARKS).length} ways to be dark or light, lazy loading, cleaning up, fixed height, open questions${speaks ? ', a claim, what stays without JavaScript and WebAssembly' : ''}`);
  } finally {
    host.close();
  }
}

const dark = { colorScheme: 'dark' };
const css = (rules) => `<style>${rules}</style>`;
const SELF_DARK = css('[data-theme=dark], [data-bs-theme=dark], .dark, [data-md-color-scheme=slate] { background: #111; color: #eee; }');

/** How pages say that they are dark or light: the theme that is right, the page, the browser. */
const MARKS = {
  'data-theme': ['dark', `<!doctype html><html data-theme="dark">${SELF_DARK}<body>HERE`],
  'data-bs-theme': ['dark', `<!doctype html><html data-bs-theme="dark">${SELF_DARK}<body>HERE`],
  'class-dark': ['dark', `<!doctype html><html class="dark">${SELF_DARK}<body>HERE`],
  'material': ['dark', `<!doctype html><html>${SELF_DARK}<body data-md-color-scheme="slate">HERE`],
  'part-of-a-page': ['dark', `<!doctype html><html>${SELF_DARK}<body><div data-bs-theme="dark"><section>HERE</section></div>`],
  'picture-and-mark': ['dark', `<!doctype html><html data-theme="dark">${css('body { background: linear-gradient(#000, #222); }')}<body>HERE`],
  'oklch': ['dark', `<!doctype html><html>${css('body { background: oklch(0.2 0.03 260); }')}<body>HERE`],
  'oklch-light': ['light', `<!doctype html><html>${css('body { background: oklch(0.97 0.01 90); }')}<body>HERE`, dark],
  'srgb': ['dark', `<!doctype html><html>${css('body { background: color(display-p3 0.05 0.05 0.1); }')}<body>HERE`],
  'follows-the-device': ['dark', `<!doctype html><html>${css(':root { color-scheme: light dark; }')}<body>HERE`, dark],
  'media-query': ['dark', `<!doctype html><html>${css('@media (prefers-color-scheme: dark) { body { background: #000; } }')}<body>HERE`, dark],
  'light-on-a-dark-device': ['light', '<!doctype html><html><body>HERE', dark],
  'white-card-on-a-dark-page': ['light', `<!doctype html><html class="dark">${SELF_DARK}<body><div style="background: white">HERE</div>`, dark],
};
