// The frame without the element: what its address asks for, what it says to its host, and what it does without.
import { calculator, slide, themeInside, until } from './browser.mjs';
import { serve } from './serve.mjs';

const CLAIMS = 'abcdefghij';

/** A host that keeps what it hears and, with `?obey`, does what Embedly's hosts do: it sets the height that the message asks for. */
const HOST = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><body><script>
  window.heard = [];
  addEventListener('message', ({ data }) => {
    heard.push(data);
    let message = {};
    try { message = JSON.parse(data); } catch {}
    const frame = [...document.querySelectorAll('iframe')].find((one) => one.src === message.src);
    if (location.search === '?obey' && frame && message.context === 'iframe.resize') frame.height = message.height;
  });
</script></body></html>`;

/** Chromium leaves a frame without an origin its history; other browsers do not. */
function refuseHistory() {
  history.replaceState = history.pushState = () => { throw new DOMException('refused', 'SecurityError'); };
}

export async function frame({ chromium, site, plain, say }) {
  const host = await serve({ host: 'localhost', pages: { '/': HOST } });
  const check = (fact, what) => { if (!fact) throw new Error(what); };
  /** A page whose one frame has this query. */
  const framed = async (query, { path = '/', at = 'embed/', sandbox, from = plain.url, width = 900, ...options } = {}) => {
    const page = await chromium.page({ colorScheme: 'light', ...options });
    await page.goto(host.url + path);
    await page.evaluate(({ src, box, wide }) => {
      const made = Object.assign(document.createElement('iframe'), { width: wide, height: 300 });
      if (box) made.setAttribute('sandbox', box);
      made.src = src;
      document.body.append(made);
    }, { src: `${from}/${at}?${query}`, box: sandbox, wide: width });
    const place = page.locator('iframe');
    await until(`the frame ${query}`, () => heard(page, 'ready').then((all) => all.length));
    return { page, place, inside: place.contentFrame() };
  };
  const heard = (page, type) => page.evaluate((wanted) => window.heard.filter((data) => data?.source === 'crossover' && data.type === wanted), type);
  const embedly = (page) => page.evaluate(() => window.heard.filter((data) => typeof data === 'string').map((data) => JSON.parse(data)));
  const tell = (page, message) => page.evaluate((data) => document.querySelector('iframe').contentWindow.postMessage({ target: 'crossover', ...data }, '*'), message);
  const end = async (page, what) => {
    check(!page.faults.length, `${what}: ${page.faults.slice(0, 3).join('; ')}`);
    await page.end();
  };
  const strangers = (inside) => inside.locator('a').evaluateAll((all) => all.filter((link) => link.target !== '_blank').length);

  try {
    // The height, in both forms, and no loop with a host that does what it is told.
    let { page, place, inside } = await framed('lang=en&theme=light&v=1', { path: '/?obey' });
    const fits = () => place.evaluate((one) => one.clientHeight).then(async (high) => high === (await inside.locator('body').evaluate((body) => body.offsetHeight)));
    await until('the frame to be as high as its content', fits);
    await page.waitForTimeout(1000);
    const settled = (await heard(page, 'height')).length;
    check(settled <= 6, `${settled} heights until it stood still`);
    await page.waitForTimeout(1000);
    check((await heard(page, 'height')).length === settled, 'heights go on when nothing changes');
    const [own, theirs] = [await heard(page, 'height'), await embedly(page)];
    check(own.length === theirs.length && own.every(({ height }, at) => height === theirs[at].height), 'the two forms differ');
    await place.evaluate((one) => { one.width = 380; });
    await until('the narrow frame to be as high as its content', async () => (await heard(page, 'height')).length > settled && fits());
    // A step of the slider changes the address inside, not the name by which the host knows the frame.
    await slide(place);
    await until('a change', () => heard(page, 'change').then((all) => all.length));
    await place.evaluate((one) => { one.width = 900; });
    await until('the wide frame to fit again', fits);
    await end(page, 'height');

    ({ page, place } = await framed('lang=en&v=1&height=fixed'));
    await page.waitForTimeout(800);
    check(!(await heard(page, 'height')).length && !(await embedly(page)).length, 'a fixed height was told');
    await end(page, 'height=fixed');

    // Views: what is seen of each, no way out but into a new tab, and the host's page shines through.
    const seen = { calculator: [3, 2], 'chart&chart=cost-bandwidth': [0, 1], table: [0, 0] };
    for (const [view, [sliders, charts]] of Object.entries(seen)) {
      ({ page, place, inside } = await framed(`lang=de&theme=dark&view=${view}&v=1&gpus=128`));
      await calculator(page, { frame: 'iframe' });
      const now = [await inside.locator('input[type=range]:visible').count(), await inside.locator('canvas:visible').count()];
      check(`${now}` === `${[sliders, charts]}`, `${view}: ${now} sliders and charts`);
      check((await inside.locator('[data-answer]').first().isVisible()) === !view.startsWith('chart'), `${view}: the answers`);
      check(!(await strangers(inside)), `${view}: a link that replaces the frame`);
      check(!(await inside.locator('header, footer').count()), `${view}: header or footer`);
      const paper = await inside.locator('html, body').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
      check(paper.every((colour) => colour === 'rgba(0, 0, 0, 0)'), `${view}: not transparent`);
      await end(page, view);
    }

    for (const letter of CLAIMS) {
      ({ page, place, inside } = await framed(`lang=de&theme=dark&view=claim&claim=${letter}&v=1`, { path: '/?obey' }));
      check(/\d/.test(await inside.locator('.finding').textContent()), `claim ${letter} has no figure`);
      await inside.locator('.trial canvas').waitFor();
      check((await themeInside(place)) === 'dark' && (await inside.locator('html').getAttribute('lang')) === 'de', `claim ${letter}: theme or language`);
      check(!(await strangers(inside)) && (await inside.locator('a[href*="v=1"]').count()) === 1, `claim ${letter}: its link`);
      await until(`claim ${letter} to fit`, () => place.evaluate((one) => one.clientHeight).then(async (high) => high === (await inside.locator('body').evaluate((body) => body.offsetHeight))));
      await end(page, `claim ${letter}`);
    }
    ({ page, place, inside } = await framed('lang=de&theme=dark&view=claim&claim=a&v=1'));
    await tell(page, { type: 'set', theme: 'light', lang: 'en' });
    await until('the claim in English and light', async () => (await inside.locator('html').getAttribute('lang')) === 'en' && (await heard(page, 'ready')).length === 2);
    await tell(page, { type: 'set', theme: 'light' });
    await until('the light claim', async () => (await themeInside(place)) === 'light');
    await tell(page, { type: 'estimate', id: '1', scenario: 'v=1' });
    await until('an answer', () => heard(page, 'estimate').then(([answer]) => answer?.id === '1' && answer.error));
    await end(page, 'claim, told');
    ({ page, inside } = await framed('view=claim&claim=../../x&v=1'));
    check((await inside.locator('input[type=range]').count()) === 3, 'a claim that is none shows no calculator');
    await end(page, 'unknown claim');

    // Locked and hidden parameters: also when another language draws the page anew.
    ({ page, place, inside } = await framed('lang=en&v=1&gpus=64&lock=gpus&hide=bandwidth,params'));
    for (const lang of ['en', 'de']) {
      await tell(page, { type: 'set', lang });
      await until(`the page in ${lang}`, async () => (await inside.locator('html').getAttribute('lang')) === lang);
      const gpus = inside.locator('[data-param=gpus]');
      check((await gpus.locator('input:disabled').count()) === 2 && (await gpus.locator('input[type=text]').inputValue()) === '64', `${lang}: gpus is not locked, or not to be read`);
      check(!(await gpus.locator('button:visible').count()), `${lang}: a locked value can be reset`);
      check(!(await inside.locator('[data-param=bandwidth]').isVisible()) && !(await inside.locator('[data-param=params]').isVisible()), `${lang}: what is to be hidden is shown`);
    }
    await inside.locator('[data-chart=time-gpus] canvas').click({ position: { x: 120, y: 80 } });
    await page.waitForTimeout(300);
    check((await inside.locator('[data-param=gpus] input[type=text]').inputValue()) === '64', 'the chart moves a locked value');
    await tell(page, { type: 'set', scenario: 'v=1&gpus=32' });
    await until('the host to move a locked value', async () => (await inside.locator('[data-param=gpus] input[type=text]').inputValue()) === '32');
    await end(page, 'lock and hide');

    // Scripts alone: no origin, hence no storage and no history. The server must answer everybody.
    ({ page, place, inside } = await framed('lang=en&v=1&gpus=64', { sandbox: 'allow-scripts', from: site.url, script: refuseHistory }));
    await calculator(page, { frame: 'iframe' });
    const refused = await inside.locator('html').evaluate(() => ['localStorage', 'history'].map((name) => {
      try {
        return name === 'history' ? history.replaceState(null, '', '') : localStorage.length;
      } catch (error) {
        return error.name;
      }
    }));
    check(`${refused}` === 'SecurityError,SecurityError', `storage and history are not refused: ${refused}`);
    await slide(place);
    await until('a change without storage and history', () => heard(page, 'change').then((all) => all.some(({ answers }) => answers.cluster.time_s > 0)));
    await page.waitForTimeout(600);
    await end(page, 'allow-scripts alone');
    // A claim is alive there too; where the server does not answer everybody, the browser says so once, and its picture stays.
    for (const [from, lives] of [[site.url, true], [plain.url, false]]) {
      ({ page, place, inside } = await framed('theme=dark', { at: 'embed/claim-f/en/', sandbox: 'allow-scripts', from }));
      check(/\d/.test(await inside.locator('.finding').textContent()) && (await themeInside(place)) === 'dark', 'a claim needs more than scripts');
      await place.scrollIntoViewIfNeeded();
      await inside.locator(lives ? '.trial canvas' : '[data-trial] svg').waitFor();
      if (!lives) {
        await until('the refusal', () => page.faults.length);
        check(page.faults.every((fault) => /calculator-\w+\.js/.test(fault)), page.faults.join('; '));
        check(await inside.locator('[data-trial] svg').isVisible() && !(await inside.locator('.trial').count()), 'the picture of a claim is gone');
        page.faults.length = 0;
      }
      await end(page, `a claim, allow-scripts alone, ${lives ? 'with' : 'without'} CORS headers`);
    }

    // A scenario that is none: said inside, and no exception.
    ({ page, inside } = await framed('lang=en&v=1&gpus=nonsense&strategy=ddp'));
    check(/GPUs/.test(await inside.locator('[role=alert]').first().textContent()), 'nothing is said about a value that was not taken');
    await end(page, 'a wrong scenario');
    say(`height in two forms (${settled} messages until still), fixed height, ${Object.keys(seen).length} views and ${CLAIMS.length} claims, lock and hide, allow-scripts alone`);
  } finally {
    host.close();
  }
}
