// The page about embedding: what is chosen stands in the code and in the frame; code is copied; a wrong link is named.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CALCULATOR, open } from './lib/site.mjs';

let site;
before(async () => { site = await open(); });
after(() => site.close());

const code = (page, name) => page.textContent(`[data-snippet=${name}] code`);
/** Waits until the frame's address holds `part`. */
const framed = (page, part) => page.waitForFunction((wanted) => document.querySelector('.preview iframe').src.includes(wanted), part);

test('the code names this site and the page’s language', async () => {
  const page = await site.page();
  await page.visit('de/einbetten/');
  const home = site.root.replace(/\/$/, '');
  for (const name of ['iframe', 'component', 'sphinx-iframe', 'docusaurus-component', 'docusaurus-config', 'jupyter-iframe', 'address']) {
    const text = await code(page, name);
    assert.ok(text.includes(home) && !text.includes('YOUR-HOST'), text);
  }
  assert.ok((await code(page, 'iframe')).includes('title="Rechner: eine Maschine oder ein Cluster"'));
  assert.ok((await code(page, 'component')).includes(`href="${home}/de/rechner/?v=1&params=7e9&gpus=64"`));
  assert.equal(await code(page, 'address'), `${home}/embed/?lang=de&theme=light&v=1&params=7e9&gpus=64`);
  const living = page.frameLocator('.preview iframe');
  await page.locator('.preview').scrollIntoViewIfNeeded();
  assert.equal(await living.locator('.main-sliders input[type=text][data-key=gpus]').inputValue(), '64');
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('choices change the code of every host, and the frame', async () => {
  const page = await site.page();
  await page.visit('en/embedding/');
  await page.selectOption('#choose-view', 'chart cost-gpus');
  await page.selectOption('#choose-theme', 'dark');
  await page.selectOption('#choose-lang', 'de');
  await page.fill('#choose-width', '640');
  await page.fill('#choose-link', `${site.root}en/calculator/?v=1&params=1e9&gpus=16&lang=en#top`);
  const query = 'lang=de&theme=dark&view=chart&chart=cost-gpus&v=1&params=1e9&gpus=16';
  for (const name of ['iframe', 'sphinx-iframe', 'docusaurus-iframe', 'jupyter-iframe', 'address']) assert.ok((await code(page, name)).includes(`embed/?${query}`), name);
  for (const name of ['component', 'sphinx-component', 'docusaurus-component', 'jupyter-component']) {
    assert.ok((await code(page, name)).includes('lang="de" theme="dark" view="chart" chart="cost-gpus" scenario="v=1&params=1e9&gpus=16" height="520"'), name);
  }
  const html = await code(page, 'iframe');
  assert.ok(html.includes('width="640" height="520"') && html.includes('background: #12141a'), html);
  assert.ok((await code(page, 'docusaurus-iframe')).includes("background: '#12141a'"));
  await framed(page, query);
  assert.equal(await page.getAttribute('.preview iframe', 'width'), '640');
  await page.selectOption('#choose-theme', 'auto');
  assert.ok((await code(page, 'iframe')).includes('color-scheme: normal'));
  assert.ok((await code(page, 'component')).includes('theme="host"'));
  // A height of the reader's own stays when the view changes.
  await page.fill('#choose-height', '700');
  await page.selectOption('#choose-view', 'table');
  assert.ok((await code(page, 'jupyter-iframe')).includes('height=700'));
  await page.context().close();
});

test('a claim has its own scenario, and the element the picture of what it shows', async () => {
  const page = await site.page();
  await page.visit('en/embedding/');
  const home = site.root.replace(/\/$/, '');
  const picture = async () => (await code(page, 'component')).match(/<img src="([^"]+)" alt="([^"]*)"/)?.slice(1);
  assert.deepEqual(await picture(), [`${home}/charts/time-gpus.en.svg`, 'Time to train, by number of GPUs']);
  await page.selectOption('#choose-lang', 'de');
  assert.deepEqual(await picture(), [`${home}/charts/time-gpus.de.svg`, 'Dauer des Trainings, nach Zahl der GPUs']);
  await page.selectOption('#choose-lang', 'en');
  await page.selectOption('#choose-view', 'chart cost-gpus');
  assert.equal((await picture())[0], `${home}/charts/cost-gpus.en.svg`);
  await page.selectOption('#choose-view', 'claim f');
  assert.equal(await code(page, 'address'), `${home}/embed/?lang=en&theme=light&view=claim&claim=f&v=1&params=3e9&tokens=6e10&single=1&gpus=64`);
  assert.ok((await code(page, 'component')).includes('view="claim" claim="f" scenario="v=1&params=3e9'));
  const [address, words] = await picture();
  assert.equal(address, `${home}/charts/claim-f.en.svg`);
  assert.equal(words, await page.textContent('#choose-view option:checked'));
  await framed(page, 'claim=f');
  assert.equal(await page.frameLocator('.preview iframe').locator('.finding').textContent(), words);
  await page.selectOption('#choose-view', 'claim c');
  assert.equal((await picture())[0], `${home}/charts/claim-c.en.svg`);
  // A scenario that the site has no picture of.
  await page.selectOption('#choose-view', 'calculator');
  await page.fill('#choose-link', 'v=1&gpus=8');
  assert.equal(await picture(), undefined);
  assert.ok((await code(page, 'component')).includes('gpus=8">Calculator: one machine or a cluster</a>'));
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('a wrong link or size is named, and the last good one stays', async () => {
  const page = await site.page();
  await page.visit('en/embedding/');
  const error = (field) => page.textContent(`#choose-${field}-error`);
  await page.fill('#choose-link', 'v=1&gpus=32');
  assert.equal(await error('link'), '');
  for (const [wrong, words] of [['hello', 'no link'], ['javascript:alert(1)', 'no link'], [`${site.root}en/calculator/`, 'no scenario']]) {
    await page.fill('#choose-link', wrong);
    assert.ok((await error('link')).includes(words), `${wrong}: ${await error('link')}`);
    assert.equal(await page.getAttribute('#choose-link', 'aria-invalid'), 'true');
    assert.ok((await code(page, 'address')).endsWith('v=1&gpus=32'));
  }
  await page.fill('#choose-link', '?v=1&gpus=8&nonsense=3"><script>');
  assert.ok((await error('link')).includes('nonsense'));
  assert.ok((await code(page, 'address')).endsWith('v=1&gpus=8'));
  await page.fill('#choose-link', '?v=1&gpus="><img src=x>');
  assert.equal(await page.locator('.preview > *').count(), 1);
  assert.ok(!(await code(page, 'iframe')).includes('<img'));
  await page.fill('#choose-height', '12');
  assert.ok((await error('height')).includes('200'));
  assert.ok((await code(page, 'iframe')).includes('height="980"'));
  await page.fill('#choose-height', '900');
  assert.equal(await error('height'), '');
  await page.context().close();
});

test('code is copied as it stands', async () => {
  const page = await site.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.visit('de/einbetten/');
  await page.selectOption('#choose-theme', 'dark');
  await page.click('[data-snippet=sphinx-iframe] [data-copy]');
  await page.waitForFunction(() => document.querySelector('[data-snippet=sphinx-iframe] [role=status]').textContent === 'Kopiert.');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await code(page, 'sphinx-iframe'));
  await page.context().close();
});

test('where the browser refuses to copy, the code is selected', async () => {
  const page = await site.page();
  await page.context().addInitScript(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); });
  await page.visit('en/embedding/');
  await page.click('[data-snippet=address] [data-copy]');
  await page.waitForFunction(() => document.querySelector('[data-snippet=address] [role=status]').textContent.includes('selected'));
  assert.equal(await page.evaluate(() => getSelection().toString().trim()), await code(page, 'address'));
  await page.context().close();
});

test('the scenario comes along from the calculator, and the page lives again on the way back', async () => {
  const page = await site.page();
  await page.visit(`${CALCULATOR}?v=1&gpus=128`);
  await page.click('nav.pages a[href*="de/einbetten/"]');
  await page.waitForSelector('.chooser:not([hidden])');
  assert.ok((await code(page, 'address')).endsWith('v=1&gpus=128'));
  await page.waitForSelector('html[data-app=ready]', { state: 'attached' });
  await page.click('nav.pages a[href*="de/methode/"]');
  await page.waitForSelector('.method-text');
  assert.equal(await page.locator('link[href="embedding.css"]').count(), 0);
  await page.goBack();
  await page.waitForSelector('.chooser:not([hidden])');
  await page.selectOption('#choose-lang', 'en');
  assert.ok((await code(page, 'address')).includes('lang=en'));
  await page.context().close();
});

test('without JavaScript the code stands there with the words on how to change it', async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(`${site.root}en/embedding/`);
  assert.ok(await page.isVisible('[data-without-script]'));
  assert.ok(!(await page.isVisible('.chooser')));
  assert.ok((await code(page, 'iframe')).includes('https://YOUR-HOST/embed/?lang=en'));
  assert.equal(await page.locator('[data-copy]:visible').count(), 0);
  await page.context().close();
});

test('every picture is there, light and dark, with words', async () => {
  const page = await site.page();
  await page.visit('en/embedding/');
  const pictures = await page.$$eval('.pictures img', (all) => all.map((image) => ({ src: image.src, alt: image.alt })));
  assert.equal(pictures.length, 14);
  for (const { src, alt } of pictures) {
    assert.ok(alt.length > 40, alt);
    for (const [address, type] of [[src, 'image/svg+xml'], [src.replace(/svg$/, 'png'), 'image/png']]) {
      const answer = await fetch(address);
      assert.equal(answer.status, 200, address);
      assert.ok(answer.headers.get('content-type').startsWith(type), address);
    }
  }
  await page.context().close();
});
