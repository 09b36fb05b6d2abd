// The element by itself, on pages made here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { body, inside, ready, shown, slide, themeInside, top, until, watch } from './browser.mjs';
import { serve } from './serve.mjs';

const LIMIT = 6000;
const page_ = (head, body) => `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">${head}<body>${body}</body></html>`;

/** The element as it is, with one program for all of a page, and with a frame for each. */
export async function element(context) {
  const script = readFileSync(join(context.public_, 'embed.js'));
  const size = brotliCompressSync(script).length;
  if (size > LIMIT) throw new Error(`embed.js: ${size} bytes with brotli, more than ${LIMIT}`);
  // As a server that prerenders would: no window, no document, no exception.
  vm.runInNewContext(script, {});
  await within('', context);
  await within('framed', context);
  await alike(context);
  await together(context);
  context.say(`${size} bytes with brotli; in the page and framed: the same look, no global name; moves, attributes, properties, ${Object.keys(MARKS).length} ways to be dark or light, lazy loading, cleaning up, fixed height, open questions, a claim, what stays without JavaScript and WebAssembly; several with one program`);
}

const check = (fact, what) => { if (!fact) throw new Error(what); };
const quiet = async (page) => {
  if (page.faults.length) throw new Error(page.faults.slice(0, 3).join('; '));
  await page.end();
};
const filler = '<div style="height: 3000px"></div>';

async function within(mode, { chromium, site, folders, snippet }) {
  const twin = await serve({ folders, headers: { 'access-control-allow-origin': '*' } });
  const load = (src = site.url) => `<script src="${src}/embed.js" async></script>`;
  const one = (attributes = '', content = '<a href="#">Instead</a>') => `<crossover-calculator ${mode} ${attributes}>${content}</crossover-calculator>`;
  const host = await serve({
    host: 'localhost',
    pages: {
      '/plain': page_(load(), `<div id="a">${one('scenario="v=1&params=7e9&gpus=64"')}</div><div id="b"></div>`),
      '/twice': page_(load() + load(twin.url), one()),
      '/late': page_(load(), filler + one()),
      '/never': page_(`<script src="${site.url}/embed.js"></script>`, one(`src="${site.url}/nothing/here/"`) + one('src="javascript:alert(1)"')),
      '/german': page_(load(), `<div lang="de-CH">${one()}</div>`),
      '/snippet': page_('', snippet('component').replaceAll('https://YOUR-HOST', site.url).replace('<crossover-calculator', `<crossover-calculator ${mode}`)),
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
  /** What a calculator in a page shows of a scenario: the frame's address has it too. */
  const gpus = (place) => inside(place).locator('[data-param=gpus] input[type=text]').inputValue();
  const height = (place) => place.evaluate((shownAs) => shownAs.clientHeight);

  try {
    // Nothing beside the element, and no step in the history.
    let page = await visit('/plain');
    let place = await shown(page);
    check(place.shared === (mode === ''), `the calculator is ${place.shared ? 'not ' : ''}a frame`);
    const names = await page.evaluate(() => {
      const clean = document.body.appendChild(document.createElement('iframe'));
      const theirs = new Set(Object.getOwnPropertyNames(clean.contentWindow));
      clean.remove();
      return Object.getOwnPropertyNames(window).filter((name) => !theirs.has(name) && !/^(\d+|a|b|__pw.*|__playwright.*)$/.test(name));
    });
    check(names.length === 0, `global names: ${names}`);
    check((await page.evaluate(() => document.styleSheets.length + document.adoptedStyleSheets.length)) === 0, 'styles outside of the element');
    check((await page.evaluate(() => [...document.body.querySelectorAll('*')].every((other) => other.closest('#a, #b')))), 'elements outside of the element');

    // A move: the visitor's scenario moves with it.
    await page.evaluate(() => document.querySelector('crossover-calculator').addEventListener('change', (event) => { window.heard = event.detail.scenario; }));
    await slide(place);
    const moved = await until('a change', () => page.evaluate(() => window.heard));
    await page.waitForTimeout(300);
    const last = await page.evaluate(() => window.heard);
    const params = () => inside(place).locator('[data-param=params] input[type=text]').inputValue();
    const before = await params();
    await page.evaluate(() => document.querySelector('#b').append(document.querySelector('crossover-calculator')));
    place = await shown(page);
    check((await page.evaluate(() => document.querySelector('crossover-calculator').scenario)) === last, `the scenario ${moved} was lost on the move`);
    check(new URLSearchParams(last).get('params') !== '7e9' && (await params()) === before, `after the move: ${await params()}, not ${before}`);

    // Attributes and properties that change later.
    await page.evaluate(() => { window.heard = null; document.querySelector('crossover-calculator').setAttribute('scenario', 'v=1&params=7e9&gpus=8'); });
    await until('the new scenario', async () => (await gpus(place)) === '8');
    await page.evaluate(() => { document.querySelector('crossover-calculator').theme = 'dark'; });
    await until('the theme that was set', async () => (await themeInside(place)) === 'dark');
    check((await page.evaluate(() => document.querySelector('crossover-calculator').getAttribute('theme'))) === 'dark', 'the property is not its attribute');
    await page.evaluate(() => { document.querySelector('crossover-calculator').lang = 'de'; });
    await until('the language that was set', async () => (await top(place).getAttribute('lang')) === 'de');
    check((await place.getAttribute(place.shared ? 'aria-label' : 'title')).startsWith('Rechner'), 'it has no German name');
    place = await shown(page);
    check((await gpus(place)) === '8', 'the other language lost the scenario');
    await page.evaluate(() => Object.assign(document.querySelector('crossover-calculator'), { view: 'chart', chart: 'time-gpus' }));
    await until('the view that was set', async () => (await page.locator('crossover-calculator').locator(place.shared ? '.root[data-view=chart][data-chart-alone=time-gpus]' : 'iframe[src*="view=chart&chart=time-gpus"]').count()) === 1);
    place = await shown(page);
    check((await themeInside(place)) === 'dark' && (await gpus(place)) === '8', 'the new view lost theme or scenario');
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
      for (const name of ['framed', 'isolated', 'fixed']) {
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
    check(changes >= 1 && changes <= 2, `${changes} changes from one`);

    // Wrong questions.
    const wrong = await page.evaluate(() => document.querySelector('crossover-calculator').estimate('v=1&gpus=nonsense').then((answers) => answers, (error) => error.message));
    check(/gpus|GPUs/.test(wrong), `a wrong question: ${JSON.stringify(wrong)}`);
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
    for (const [what, options] of [['JavaScript', { javaScriptEnabled: false }], ['WebAssembly', { without: '**/*.wasm' }]]) {
      page = await visit('/snippet', options);
      await page.waitForTimeout(2000);
      const picture = page.locator('crossover-calculator a img');
      check((await page.locator('crossover-calculator a').isVisible()) && (await picture.isVisible()), `without ${what}, link or picture is not to be seen`);
      check((await picture.boundingBox()).height > 200, `without ${what}, the picture is empty`);
      await page.end();
    }

    // A height of the host's own, and a claim.
    page = await visit('/fixed');
    place = await shown(page);
    check((await height(place)) === 300, 'a fixed height changed');
    await page.evaluate(() => { document.querySelector('crossover-calculator').fixed = false; });
    place = await shown(page);
    await until('the height of the content', async () => (await height(place)) === (await body(place).evaluate((content) => content.offsetHeight)));
    check((await height(place)) > 300, 'the content is cut off');
    await quiet(page);
    page = await visit('/claim');
    place = await ready(page);
    check(/\d/.test(await inside(place).locator('.finding').textContent()), 'the claim has no figure');
    await inside(place).locator('.trial canvas').waitFor();
    await page.evaluate(() => { document.querySelector('crossover-calculator').lang = 'en'; });
    await until('the claim in English', async () => (await top(place).getAttribute('lang')) === 'en');
    await ready(page);
    const silent = await page.evaluate(() => document.querySelector('crossover-calculator').estimate('v=1').catch((error) => error.message));
    check(/no calculator/.test(silent), `a claim answers ${JSON.stringify(silent)}`);
    await quiet(page);

    page = await visit('/twice');
    await shown(page);
    await quiet(page);

    // Loaded when it comes into view, or when it is asked something.
    page = await visit('/late');
    await until('the element', () => page.evaluate(() => Boolean(document.querySelector('crossover-calculator').shadowRoot)));
    await page.waitForTimeout(500);
    check((await page.locator('crossover-calculator').locator('iframe, .root').count()) === 0, 'a calculator far below was loaded');
    const left = await page.evaluate((attribute) => {
      const other = document.createElement('crossover-calculator');
      other.toggleAttribute(attribute || 'title', true);
      document.body.append(other);
      const answer = other.estimate('v=1&gpus=8').then(() => 'answered', (error) => error.message);
      other.remove();
      return answer;
    }, mode);
    check(/removed/.test(left), `an open question after removal: ${left}`);
    const early = await page.evaluate(() => document.querySelector('crossover-calculator').estimate('v=1&params=7e9&gpus=64'));
    check(early.single.time_s > 0, 'no answer before it was seen');
    await quiet(page);

    page = await visit('/never');
    await page.waitForTimeout(1500);
    for (const link of await page.locator('crossover-calculator a').all()) check(await link.isVisible(), 'a calculator that never came took the place of what was there');
    check((await page.locator('crossover-calculator iframe').count()) === 1, 'a frame with an address that is none of the web');
    page.faults.length = 0;
    await quiet(page);

    page = await visit('/german');
    place = await shown(page);
    check((await top(place).getAttribute('lang')) === 'de', 'the language of the page was not taken');
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
  } catch (error) {
    throw new Error(`${mode || 'in the page'}: ${error.message}`);
  } finally {
    host.close();
    twin.close();
  }
}

/** What one sees of a calculator, wherever its styles come from: the sizes, colours and letters of its parts. */
const appearance = (place) => inside(place).locator('.instrument').first().evaluate((instrument) => [instrument, ...instrument.querySelectorAll('*:not(.island)')].map((one) => {
  const { color, backgroundColor, font, display, padding, margin } = getComputedStyle(one);
  const { width, height } = one.getBoundingClientRect();
  return [one.tagName, one.className, color, backgroundColor, font, display, padding, margin, Math.round(width), Math.round(height)].join(' ');
}));

/** Framed or not, it looks the same. */
async function alike({ chromium, site }) {
  const host = await serve({
    host: 'localhost',
    pages: Object.fromEntries(['', 'framed'].map((mode) => [`/${mode}`, page_(`<script src="${site.url}/embed.js" async></script>`, `<crossover-calculator ${mode} scenario="v=1&params=7e9&gpus=64"></crossover-calculator>`)])),
  });
  try {
    for (const [width, colorScheme] of [[390, 'light'], [700, 'light'], [1300, 'light'], [1300, 'dark']]) {
      const seen = [];
      for (const mode of ['', 'framed']) {
        const page = await chromium.page({ viewport: { width, height: 3000 }, colorScheme });
        await page.goto(`${host.url}/${mode}`);
        await page.evaluate(() => { document.querySelector('crossover-calculator').theme = 'auto'; });
        const place = await shown(page);
        await page.waitForTimeout(500);
        seen.push(await appearance(place));
        await quiet(page);
      }
      const [shared, framed] = seen;
      const differ = framed.filter((line, at) => line !== shared[at]).length;
      const first = framed.findIndex((line, at) => line !== shared[at]);
      check(framed.length > 50 && framed.length === shared.length && !differ, `${width} px, ${colorScheme}: ${differ} of ${framed.length} parts differ from those in a frame: ${shared[first]} instead of ${framed[first]}`);
    }
  } finally {
    host.close();
  }
}

/** Counts what is compiled and started, before anything else runs. */
function count() {
  window.started = 0;
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...all) => { window.started += 1; return original.apply(WebAssembly, all); };
  }
}

/** Several of a page have one program, and yet each its own scenario, language and theme; neither they nor the page disturb each other. */
async function together({ chromium, site, shots }) {
  const host = await serve({
    host: 'localhost',
    pages: {
      '/': page_(`<script src="${site.url}/embed.js" async></script><style>
        :root { font-size: 40px; --accent: red; } * { letter-spacing: 3px; color: teal; } body { line-height: 3; direction: rtl; text-transform: uppercase; }
        .root, .body, .answers, canvas, table, input { display: none !important; position: fixed; }</style>`, `
        <p>A paragraph.</p>
        <crossover-calculator theme="light" scenario="v=1&params=7e9&gpus=8"></crossover-calculator>
        <crossover-calculator theme="dark" lang="de" scenario="v=1&params=7e9&gpus=64"></crossover-calculator>
        <crossover-calculator theme="light" view="claim" claim="b"></crossover-calculator>
        <crossover-calculator theme="dark" view="chart" chart="cost-gpus" scenario="v=1&params=7e9&gpus=64"></crossover-calculator>`),
    },
  });
  try {
    const page = await chromium.page({ viewport: { width: 1000, height: 4000 }, script: count });
    await page.goto(host.url);
    const [light, dark] = [await shown(page, 0), await shown(page, 1)];
    const claim = await ready(page, 2);
    const chart = await ready(page, 3);
    await claim.locator('.trial canvas').waitFor();
    check(!(await page.locator('iframe').count()), 'frames where one program would do');
    check((await page.evaluate(() => window.started)) === 1, `${await page.evaluate(() => window.started)} programs started for four calculators`);
    check((await chart.locator('canvas:visible').count()) === 1 && !(await chart.locator('input:visible').count()), 'a chart alone is not alone');

    // The page around, with the worst of styles, is not seen inside.
    const [style] = await light.locator('[data-answer]').first().evaluateAll((all) => all.map((one) => {
      const { letterSpacing, direction, textTransform, fontSize, color } = getComputedStyle(one);
      return `${letterSpacing} ${direction} ${textTransform} ${parseFloat(fontSize) < 40} ${color !== 'rgb(0, 128, 128)'}`;
    }));
    check(style === 'normal ltr none true true', `the page's styles are in the calculator: ${style}`);
    if (shots) await page.screenshot({ path: join(shots, 'together.png') });

    // One moves, the others stay.
    const others = () => Promise.all([dark, claim, chart].map((place) => place.innerText()));
    const before = await others();
    await page.evaluate(() => {
      window.keys = 0;
      addEventListener('keydown', () => { window.keys += 1; });
      window.heard = [];
      document.querySelectorAll('crossover-calculator').forEach((one, index) => one.addEventListener('change', () => window.heard.push(index)));
    });
    await slide(light);
    await until('a change', () => page.evaluate(() => window.heard.length));
    await page.waitForTimeout(300);
    check((await page.evaluate(() => window.heard.every((index) => index === 0))), 'another calculator changed too');
    check(`${await others()}` === `${before}`, 'what another shows has changed');
    check((await page.evaluate(() => window.keys)) === 0, 'keys for the calculator reach the page around');

    // A claim's slider moves it.
    const figures = await claim.innerText();
    await slide(claim);
    await until('the claim to follow its slider', async () => (await claim.innerText()) !== figures);

    // The pixels of the charts are those of each one's theme.
    const paper = (place) => place.locator('canvas').first().evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const bright = [0, 0];
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) { bright[0] += data[at] + data[at + 1] + data[at + 2]; bright[1] += 3 * 255; }
      return bright[0] / bright[1];
    });
    const [shades, theirs] = [await paper(light), await paper(dark)];
    await page.evaluate(() => { document.querySelectorAll('crossover-calculator')[0].theme = 'dark'; });
    await until('the chart to take the colours of the other theme', async () => Math.abs((await paper(light)) - shades) > 0.05);
    check(Math.abs((await paper(dark)) - theirs) < 0.01, 'the other chart changed its colours too');

    // One goes, the others live on.
    await page.evaluate(() => document.querySelectorAll('crossover-calculator')[0].remove());
    await page.waitForTimeout(100);
    await page.evaluate(() => { window.heard = []; });
    await slide(await shown(page, 0));
    await until('a change of one that stayed', () => page.evaluate(() => window.heard.includes(1)));
    await quiet(page);
  } catch (error) {
    throw new Error(`several on a page: ${error.message}`);
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
