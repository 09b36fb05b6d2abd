// "Try it": a claim's chart comes alive where it is unfolded, over sliders of its own; the link to the calculator carries what they say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMPARISON, open, readPixels } from './lib/site.mjs';

let site;
before(async () => { site = await open(); });
after(() => site.close());

const fold = (page, letter) => page.locator(`details.try[data-claim=${letter}]`).first();
const title = (claim) => claim.locator('.chart-title').innerText();
/** What an address asks of the calculator. */
const asked = (href) => new URL(href, site.root).searchParams;

test('a claim comes alive when it is unfolded, and not before; its row keeps its place', async () => {
  const page = await site.page();
  await page.visit(COMPARISON);
  assert.equal(await page.locator('.trial').count(), 0);
  const letters = await page.$$eval('details.try:has([data-trial])', (all) => [...new Set(all.map((one) => one.dataset.claim))]);
  assert.deepEqual(letters.sort(), ['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  for (const letter of letters) {
    const claim = fold(page, letter);
    const still = await claim.locator('figcaption strong').textContent();
    const cells = () => claim.locator('[aria-label^=Nachrechnen] td').allTextContents();
    const figures = await cells();
    const summary = claim.locator('> summary');
    await summary.scrollIntoViewIfNeeded();
    const before = await summary.boundingBox();
    await summary.focus();
    await page.keyboard.press('Enter');
    await claim.locator('.trial canvas').waitFor();
    assert.ok(Math.abs((await summary.boundingBox()).y - before.y) < 1, letter);
    // Alive it says the same as still.
    assert.equal(await title(claim), still, letter);
    assert.deepEqual(await cells(), figures, letter);
  }
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test("a claim's sliders move its chart and its link, and nothing else on the page", async () => {
  const page = await site.page();
  await page.visit('en/compare/distributed-or-centralised/');
  const rest = () => page.$$eval('[data-answer]', (all) => all.map((one) => one.textContent));
  const untouched = await rest();
  const claim = fold(page, 'F');
  await claim.locator('> summary').click();
  const first = await title(claim);
  const link = claim.locator('a.open-claim');
  const initial = asked(await link.getAttribute('href'));
  assert.equal(initial.get('single'), '1');
  await claim.locator('input[type=range][data-key=params]').focus();
  for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('.trial .chart-title').innerText !== before, first);
  const carried = asked(await link.getAttribute('href'));
  assert.ok(Number(carried.get('params')) > Number(initial.get('params')), `${initial} became ${carried}`);
  assert.equal(carried.get('single'), '1');
  assert.deepEqual(await rest(), untouched);
  assert.ok(!new URL(page.url()).searchParams.has('params'));
  // The same parameter stands on the page several times: every field has an id of its own.
  const ids = await page.$$eval('[id]', (all) => all.map((one) => one.id));
  assert.deepEqual(ids.filter((id, at) => ids.indexOf(id) !== at), []);
  await link.click();
  await page.waitForSelector('html[data-page=calculator][data-app=ready]', { state: 'attached' });
  const params = new URL(page.url()).searchParams;
  assert.equal(params.get('single'), '1');
  assert.equal(params.get('params'), carried.get('params'));
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('a claim in somebody else\'s page is alive too, in its language and theme', async () => {
  const page = await site.page();
  await page.goto(`${site.root}embed/claim-e/de/`);
  await page.locator('.trial canvas').waitFor();
  const [light] = await readPixels(page);
  await page.goto(`${site.root}embed/claim-e/de/?theme=dark`);
  await page.locator('.trial canvas').waitFor();
  assert.notEqual((await readPixels(page))[0], light);
  const figures = () => page.locator('table.data').allInnerTexts();
  const before = await figures();
  const link = page.locator('a.open-claim');
  const initial = asked(await link.getAttribute('href'));
  await page.locator('input[type=range][data-key=params]').focus();
  await page.keyboard.press('End');
  await page.waitForFunction((first) => document.querySelector('table.data:last-of-type').innerText !== first, before.at(-1));
  assert.match(await link.getAttribute('href'), /rechner\/\?/);
  assert.notEqual(asked(await link.getAttribute('href')).get('params'), initial.get('params'));
  assert.equal(await link.getAttribute('target'), '_blank');
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('a claim lives on after a walk through other pages, and follows the switch of brightness', async () => {
  const page = await site.page();
  await page.visit('en/compare/distributed-or-centralised/');
  await page.click('a[hreflang=de]');
  await page.waitForSelector('html[lang=de][data-app=ready]', { state: 'attached' });
  const claim = fold(page, 'C');
  await claim.locator('> summary').click();
  const canvas = claim.locator('.trial canvas');
  await canvas.waitFor();
  assert.match(await title(claim), /nützlich/);
  const pixels = async () => (await readPixels(page))[await canvas.evaluate((one) => [...document.querySelectorAll('canvas')].indexOf(one))];
  const light = await pixels();
  await page.evaluate(() => { document.documentElement.dataset.theme = 'dark'; });
  assert.notEqual(await pixels(), light);
  await page.click('a[hreflang=en]');
  await page.waitForSelector('html[lang=en][data-app=ready]', { state: 'attached' });
  await fold(page, 'C').locator('> summary').click();
  await fold(page, 'C').locator('.trial canvas').waitFor();
  assert.match(await title(fold(page, 'C')), /of use/);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('every claim has its picture without JavaScript', async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.root + COMPARISON);
  assert.equal(await page.locator('details.try figure.chart svg').count(), await page.locator('details.try').count());
  await page.context().close();
});
