// Myths: the reader commits first, then sees fact and chart with the own answer marked; kept for the visit, and complete without JavaScript.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMPARISON, alive, open } from './lib/site.mjs';

const ENGLISH = 'en/compare/distributed-or-centralised/';

let site;
before(async () => { site = await open(); });
after(() => site.close());

const myth = (page, id) => page.locator(`#${id}`);
const readings = (page, id) => myth(page, id).locator('.reading:visible');
const shown = (page, id) => readings(page, id).evaluateAll((all) => all.map((one) => one.dataset.answer));
const marked = (page, id) => myth(page, id).locator('.reading', { has: page.locator('.yours:visible') }).evaluateAll((all) => all.map((one) => one.dataset.answer));

for (const javaScriptEnabled of [true, false]) {
  test(`a guess by keyboard opens fact and chart and marks the answer, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await site.page({ javaScriptEnabled });
    await page.goto(site.root + COMPARISON);
    for (const [id, right] of [['always-faster', 'depends'], ['outdated', 'false'], ['data-protected', 'false'], ['several-gpus', 'false'], ['better-model', 'false']]) {
      const fact = myth(page, id).locator('.fact');
      assert.equal(await fact.isVisible(), false, id);
      // The wrong answer first: it is marked beside the right one, then the right one alone.
      await page.focus(`#guess-${id}-true`);
      await page.keyboard.press('Space');
      assert.equal(await fact.isVisible(), true, id);
      assert.equal(await fact.locator('figure.chart :is(svg, canvas)').isVisible(), true, id);
      assert.deepEqual(await shown(page, id), ['true', right].sort((a, b) => ['true', 'false', 'depends'].indexOf(a) - ['true', 'false', 'depends'].indexOf(b)));
      assert.deepEqual(await marked(page, id), ['true'], id);
      assert.match(await myth(page, id).locator('[role=status]').innerText(), /Ihre Antwort: das Modell sagt etwas anderes/);
      for (let step = 0; step < ['true', 'false', 'depends'].indexOf(right); step += 1) await page.keyboard.press('ArrowRight');
      assert.deepEqual(await shown(page, id), [right]);
      assert.deepEqual(await marked(page, id), [right]);
      assert.match(await myth(page, id).locator('[role=status]').innerText(), /Ihre Antwort: so sagt es auch das Modell/);
    }
    // A browser without JavaScript gives up the scripts that it was told to fetch early.
    const unwanted = (fault) => !javaScriptEnabled && /^failed: .*\.m?js$/.test(fault);
    assert.deepEqual(page.faults().filter((fault) => !unwanted(fault)), []);
    await page.context().close();
  });
}

test('behind the guess the chart comes alive', async () => {
  const page = await site.page();
  await page.visit(COMPARISON);
  await page.check('#guess-several-gpus-true');
  assert.equal(await page.locator('.myth .trial').count(), 0);
  await alive(page);
  const fact = myth(page, 'several-gpus').locator('.fact');
  const caption = await fact.locator('figcaption').innerText();
  await fact.locator('input[type=range][data-key=gpus]').focus();
  await page.keyboard.press('Home');
  await page.waitForFunction((before) => document.querySelector('#several-gpus figcaption').innerText !== before, caption);
  assert.deepEqual(await marked(page, 'several-gpus'), ['true']);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('answers are kept for the visit, over languages, pages and a reload, and for no longer', async () => {
  const page = await site.page();
  await page.visit(COMPARISON);
  await page.check('#guess-outdated-true');
  await page.check('#guess-better-model-depends');
  const kept = () => page.$$eval('.myth input:checked', (all) => all.map((one) => one.id));
  const expected = ['guess-outdated-true', 'guess-better-model-depends'];
  await page.reload();
  assert.deepEqual(await kept(), expected);
  await page.click(`a[hreflang=en]`);
  await page.waitForURL(`${site.root}${ENGLISH}**`);
  await page.waitForSelector('html[lang=en] .myth input:checked');
  assert.deepEqual(await kept(), expected);
  assert.deepEqual(await marked(page, 'outdated'), ['true']);
  await page.goto(`${site.root}de/methode/`);
  await page.goto(site.root + COMPARISON);
  assert.deepEqual(await kept(), expected);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('guess'))), []);
  await page.context().close();
  // Another visit knows nothing of it.
  const other = await site.page();
  await other.visit(COMPARISON);
  assert.equal(await other.locator('.myth input:checked').count(), 0);
  await other.context().close();
});

test('printed, every fact and every reading is there', async () => {
  const page = await site.page();
  await page.goto(site.root + COMPARISON);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.myth .fact:visible').count(), 5);
  assert.equal(await page.locator('.myth .reading:visible').count(), 15);
  assert.equal(await page.locator('.myth .yours:visible').count(), 0);
  await page.context().close();
});
