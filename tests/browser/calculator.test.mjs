// The calculator answers: sliders, fields, links, charts, tabs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CALCULATOR, COMPARISON, open, readAnswers, readPixels } from './lib/site.mjs';

let site;
before(async () => { site = await open(); });
after(() => site.close());

const slider = (key) => `.main-sliders input[type=range][data-key=${key}]`;
const field = (key) => `.main-sliders input[type=text][data-key=${key}]`;
const query = (page) => new URL(page.url()).searchParams;

async function press(page, selector, key, times) {
  await page.focus(selector);
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
}

for (const path of [CALCULATOR, COMPARISON]) {
  for (const [key, direction] of [['params', 'ArrowRight'], ['gpus', 'ArrowRight'], ['bandwidth', 'ArrowLeft']]) {
    test(`${path}: the slider ${key} by keyboard changes answers, charts and address, and a reload restores them`, async () => {
      const page = await site.page();
      await page.visit(path);
      const answers = await readAnswers(page);
      const pixels = await readPixels(page);
      await press(page, slider(key), direction, 20);
      await page.waitForFunction((k) => new URL(location.href).searchParams.has(k), key);
      // The address is written at most every 400 ms; the last write is the one that counts.
      await page.waitForTimeout(600);
      assert.equal(query(page).get('v'), '1');
      const changed = await readAnswers(page);
      assert.notDeepEqual(changed, answers);
      const drawn = await readPixels(page);
      assert.ok(drawn.length >= 2 && drawn.every((picture, index) => picture !== pixels[index]));
      await page.reload();
      await page.waitForSelector('html[data-app=ready]', { state: 'attached' });
      assert.deepEqual(await readAnswers(page), changed);
      assert.deepEqual(page.faults(), []);
      await page.context().close();
    });
  }
}

test('back and forward restore the scenario', async () => {
  const page = await site.page();
  await page.visit(`${CALCULATOR}?v=1&gpus=128`);
  const first = await readAnswers(page);
  await page.click('nav.pages a[href*="de/"] >> nth=0');
  await page.waitForURL(`${site.root}de/?**`);
  await page.click('.card.live a');
  await page.waitForURL(`${site.root}${COMPARISON}?**`);
  await page.waitForSelector('table.comparison');
  assert.equal(await page.inputValue(field('gpus')), '128');
  await press(page, slider('gpus'), 'ArrowRight', 4);
  await page.waitForFunction(() => new URL(location.href).searchParams.get('gpus') !== '128');
  await page.waitForTimeout(600);
  const gpus = query(page).get('gpus');
  await page.goBack();
  await page.waitForSelector('.cards');
  await page.goBack();
  await page.waitForSelector('.settings');
  await page.waitForFunction((wanted) => document.querySelector('[data-answer="cluster-time"]')?.textContent === wanted, first['cluster-time']);
  assert.deepEqual(await readAnswers(page), first);
  await page.goForward();
  await page.waitForSelector('.cards');
  await page.goForward();
  await page.waitForSelector('table.comparison');
  await page.waitForFunction((wanted) => document.querySelector('.main-sliders input[type=text][data-key=gpus]')?.value === wanted, gpus);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('the language switch keeps page and scenario', async () => {
  const page = await site.page();
  await page.visit(`${COMPARISON}?v=1&params=7e10&gpus=512`);
  await page.click('nav.languages a[hreflang=en]');
  await page.waitForURL(`${site.root}en/compare/distributed-or-centralised/?**`);
  assert.deepEqual([query(page).get('params'), query(page).get('gpus')], ['7e10', '512']);
  assert.equal(await page.inputValue(field('params')), '70\u00a0billion');
  await page.context().close();
});

test('a closed group shows what holds when it is opened, and follows while it is open', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  const layers = page.locator('.group[data-group=model] input[type=text][data-key=layers]');
  const usual = await layers.inputValue();
  await page.fill(field('params'), '70 Mrd.');
  await page.waitForFunction(() => new URL(location.href).searchParams.get('params') === '7e10');
  await page.click('.group[data-group=model] > summary');
  await page.waitForFunction((before) => document.querySelector('.group[data-group=model] input[type=text][data-key=layers]').value !== before, usual);
  const opened = await layers.inputValue();
  assert.ok(Number(opened) > Number(usual), `${usual} ${opened}`);
  await page.fill(field('params'), '7 Mrd.');
  await page.waitForFunction((before) => document.querySelector('.group[data-group=model] input[type=text][data-key=layers]').value === before, usual);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('a broken link names what is wrong and goes on with the rest', async () => {
  const page = await site.page();
  await page.visit(`${CALCULATOR}?v=1&gpus=zero&params=1e99&colour=red&bandwidth=100`);
  const messages = (await page.locator('.notices.from-link li').allTextContents()).join('\n');
  for (const key of ['gpus', 'params', 'colour']) assert.match(messages, new RegExp(key));
  assert.equal(await page.inputValue(field('bandwidth')), '100');
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('a field that holds no number is marked and explained, and the last answers stay', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  const answers = await readAnswers(page);
  for (const text of ['viele', '', '-5', '1e99']) {
    await page.fill(field('gpus'), text);
    assert.equal(await page.getAttribute(field('gpus'), 'aria-invalid'), 'true', text);
    assert.match(await page.locator('.main-sliders [data-param=gpus] .error').textContent(), /gpus/);
    assert.deepEqual(await readAnswers(page), answers);
  }
  await page.fill(field('gpus'), '1.024');
  assert.equal(await page.getAttribute(field('gpus'), 'aria-invalid'), null);
  await page.waitForFunction(() => new URL(location.href).searchParams.get('gpus') === '1024');
  await page.fill(field('params'), '70 Mrd.');
  await page.waitForFunction(() => new URL(location.href).searchParams.get('params') === '7e10');
  await page.context().close();
});

test('a contradiction has words, and answers stay', async () => {
  const page = await site.page();
  await page.visit(`${CALCULATOR}?v=1&tp=3`);
  assert.match(await page.locator('.notices.conflicts').textContent(), /tp/);
  assert.match((await readAnswers(page))['cluster-time'], /\d/);
  await page.context().close();
});

const ODD = [
  'params=1e6', 'params=1e13', 'params=1e13&gpus=1', 'gpus=1', 'gpus=1e6', 'gpus=1e6&params=1e6', 'bandwidth=0.01', 'bandwidth=1600', 'single=1&gpus=2',
  'gpu=rtx3090&params=1e9', 'gpu=t4&params=1e8', 'backend=grpc&network=eth1', 'network=cell-4g', 'seq=1048576', 'mtbf=10&gpus=1e5', 'tokens=1e5', 'tokens=1e15&params=1e12',
  'strategy=3d&params=4e11&gpus=2048', 'node=72&gpu=gb200', 'price=1000&power=10000', 'batch=16&seq=16',
];
test('odd scenarios show words and numbers, never NaN or infinity', async () => {
  const page = await site.page();
  for (const link of ODD) {
    await page.visit(`${CALCULATOR}?v=1&${link}`);
    await page.click('#tab-arithmetic');
    const text = await page.evaluate(() => document.body.textContent);
    assert.doesNotMatch(text, /NaN|undefined|∞|\binf\b|Infinity/, link);
    const answers = await readAnswers(page);
    assert.ok(Object.keys(answers).length >= 12 && Object.values(answers).every((value) => value.trim() !== ''), link);
    assert.ok((await page.locator('figure.chart canvas').count()) === 4, link);
  }
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('tabs by arrow keys', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  await page.focus('#tab-step');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-memory', 'aria-selected'), 'true');
  assert.ok(await page.locator('#panel-memory .stack').count() === 2);
  await page.keyboard.press('End');
  assert.ok(await page.locator('#panel-arithmetic .term').count() > 12);
  await page.context().close();
});

test('a chart reads values by keyboard and takes one', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  await readPixels(page);
  await page.focus('[data-chart=time-gpus] .plot');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('[data-chart=time-gpus] .reading').textContent(), /GPUs: \d/);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => new URL(location.href).searchParams.get('gpus') === '1024');
  await page.context().close();
});

test('the brightness switch redraws the charts and is kept', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  const light = await readPixels(page);
  await page.click('[data-theme-switch]');
  await page.click('[data-theme-switch]');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  const dark = await readPixels(page);
  assert.ok(dark.every((picture, index) => picture !== light[index]));
  await page.reload();
  await page.waitForSelector('html[data-app=ready]', { state: 'attached' });
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await page.context().close();
});

test('the embedded page stands alone', async () => {
  const page = await site.page();
  await page.visit('embed/?lang=en&theme=dark&v=1&gpus=256');
  assert.equal(await page.locator('header, footer').count(), 0);
  assert.equal(await page.inputValue(field('gpus')), '256');
  const backgrounds = await page.evaluate(() => [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor));
  assert.deepEqual(backgrounds, ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  const targets = await page.$$eval('a', (all) => all.map((link) => link.target));
  assert.ok(targets.length > 0 && targets.every((target) => target === '_blank'));
  await press(page, slider('gpus'), 'ArrowRight', 3);
  await page.waitForFunction(() => new URL(location.href).searchParams.get('gpus') !== '256');
  assert.deepEqual([query(page).get('lang'), query(page).get('theme')], ['en', 'dark']);
  await page.context().close();
});

test('the map, the plans and their taking', async () => {
  const page = await site.page();
  await page.visit(`${CALCULATOR}?v=1&gpus=256`);
  await page.click('#tab-map');
  assert.equal(await page.locator('table.map td button').count(), 99);
  assert.equal(await page.locator('table.map td.here').count(), 1);
  await page.locator('table.map tbody tr').nth(3).locator('button').nth(1).click();
  await page.waitForFunction(() => new URL(location.href).searchParams.get('gpus') === '16');
  assert.equal(query(page).get('bandwidth'), '100');
  await page.click('#tab-plans');
  await page.locator('.plans .take').nth(1).click();
  await page.waitForFunction(() => new URL(location.href).searchParams.has('tp'));
  await page.click('#tab-needed');
  assert.equal(await page.locator('#panel-needed tbody tr').count(), 4);
  await page.click('#tab-failures');
  assert.ok(await page.locator('#panel-failures tbody tr').count() > 3);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('the figures can be taken away', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  const [csv] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=csv]')]);
  const text = await (await csv.createReadStream()).toArray().then((parts) => Buffer.concat(parts).toString());
  assert.match(text, /^# crossover schema 1/);
  assert.ok(text.split('\n').length > 20);
  const [markdown] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=md]')]);
  assert.equal(markdown.suggestedFilename(), 'crossover.md');
  await page.context().close();
});

test('a preset opens its scenario, a claim opens in the calculator', async () => {
  const page = await site.page();
  await page.visit(CALCULATOR);
  await page.click('.presets a >> nth=3');
  await page.waitForFunction(() => document.querySelector('.main-sliders input[data-key=params][type=text]').value.startsWith('13'));
  await page.visit(COMPARISON);
  await page.locator('#row-scalability + tr summary').click();
  await page.locator('#row-scalability + tr a').click();
  await page.waitForSelector('.settings');
  assert.equal(query(page).get('shape'), 'gpt3-175b');
  await page.context().close();
});

test('no field cuts off its value', async () => {
  for (const width of [390, 1440]) {
    const page = await site.page({ viewport: { width, height: 900 } });
    await page.visit('en/calculator/?v=1&shape=llama3-405b&tokens=1.536e13&gpus=16384');
    await page.evaluate(() => document.querySelectorAll('details.group').forEach((one) => { one.open = true; }));
    await page.waitForTimeout(200);
    const cut = await page.$$eval('.control input[type=text]', (all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.id}: ${one.value}`));
    assert.deepEqual(cut, [], String(width));
    await page.context().close();
  }
});
