// The decision helper: answers are prefilled, each changes the recommendation, by mouse and by keyboard, in both languages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMPARISON, open } from './lib/site.mjs';

let site;
before(async () => { site = await open(); });
after(() => site.close());

const PLACES = [
  { path: COMPARISON, advice: 'Empfehlung: ein Cluster', federated: 'Empfehlung: föderiertes Lernen', raw: /1,2\s*TB Rohdaten/ },
  { path: 'en/compare/distributed-or-centralised/', advice: 'Recommendation: a cluster', federated: 'Recommendation: federated learning', raw: /1\.2\s*TB of raw data/ },
];

const radio = (question, answer) => `.decision input[name=${question}][value=${answer}]`;
const advice = async (page) => (await page.locator('.decision [aria-live]').textContent()).trim().replace(/\s+/g, ' ');
const chosen = (page) => page.$$eval('.decision input:checked', (all) => all.map((one) => `${one.name}=${one.value}`));
const becomes = (page, way) => page.waitForSelector(`.decision [data-way=${way}]`);

for (const { path, advice: usual, federated, raw } of PLACES) {
  test(`${path}: data that must stay leads to federated learning, with the bytes that move`, async () => {
    const page = await site.page();
    await page.visit(path);
    assert.equal(await advice(page), usual);
    assert.deepEqual(await chosen(page), ['stay=no', 'deadline=week', 'money=free', 'link=datacentre', 'crew=team']);
    await page.check(radio('stay', 'yes'));
    await becomes(page, 'federated');
    assert.equal(await advice(page), federated);
    assert.match(await page.locator('.decision').textContent(), raw);
    await page.check(radio('stay', 'no'));
    await becomes(page, 'cluster');
    assert.deepEqual(page.faults(), []);
    await page.context().close();
  });

  test(`${path}: the form works by keyboard alone`, async () => {
    const page = await site.page();
    await page.visit(path);
    await page.focus(radio('stay', 'no'));
    await page.keyboard.press('ArrowDown');
    await becomes(page, 'federated');
    await page.keyboard.press('ArrowUp');
    await becomes(page, 'cluster');
    // Each question is one stop of the tab key.
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.name), 'deadline');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await becomes(page, 'machine');
    assert.ok((await chosen(page)).includes('deadline=year'));
    await page.context().close();
  });

  test(`${path}: without JavaScript the recommendation can be read`, async () => {
    const page = await site.page({ javaScriptEnabled: false });
    await page.goto(site.root + path);
    assert.equal(await advice(page), usual);
    assert.equal(await page.locator('.decision fieldset legend').count(), 5);
    assert.equal((await chosen(page)).length, 5);
    assert.ok(await page.locator('.decision .causes li').count() >= 5);
    await page.context().close();
  });
}

test('what the reader has not answered follows the scenario, what they have answered stays', async () => {
  const page = await site.page();
  await page.visit(`${COMPARISON}?v=1&gpus=512&network=eth1`);
  await becomes(page, 'seldom');
  assert.ok((await chosen(page)).includes('link=office'));
  await page.check(radio('deadline', 'year'));
  await becomes(page, 'machine');
  await page.focus('.main-sliders input[type=range][data-key=bandwidth]');
  await page.keyboard.press('End');
  await page.waitForFunction((selector) => document.querySelector(selector).checked, radio('link', 'datacentre'));
  assert.ok((await chosen(page)).includes('deadline=year'));
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('the sentences of privacy name the laws and lead to their texts', async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.root + COMPARISON);
  for (const place of ['#privacy', '.verdict']) {
    const links = await page.$$eval(`${place} a`, (all) => all.map((link) => link.href));
    assert.ok(links.some((link) => link.startsWith('https://eur-lex.europa.eu/eli/reg/2016/679/oj')), place);
    assert.ok(links.some((link) => /ecfr\.gov\/.*part-164/.test(link)), place);
  }
  await page.context().close();
});
