// What a reader does with the answers: undo, pin as A, take away, launch plan.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { CALCULATOR, COMPARISON, open } from './lib/site.mjs';

let site;
before(async () => { site = await open(); });
after(async () => { await site.close(); });

const answer = (page, key) => page.locator(`[data-answer=cluster-${key}]`).first().textContent();

async function calculator(query = '') {
  const page = await site.page();
  await page.visit(CALCULATOR + query);
  return page;
}

/** Sets a field as a reader does. */
async function type(page, key, text) {
  const field = page.locator(`.main-sliders input[type=text][data-key=${key}]`);
  await field.fill(text);
  await field.blur();
}

async function saved(page, action) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-action="${action}"]`).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('undo and redo, by button and by key', async () => {
  const page = await calculator();
  const first = await answer(page, 'time');
  await type(page, 'gpus', '512');
  await page.waitForFunction((old) => document.querySelector('[data-answer=cluster-time]').textContent !== old, first);
  const second = await answer(page, 'time');
  await page.locator('[data-action=undo]').click();
  assert.equal(await answer(page, 'time'), first);
  assert.equal(await page.locator('[data-action=undo]').isDisabled(), true);
  await page.locator('h1').click();
  await page.keyboard.press('Control+y');
  assert.equal(await answer(page, 'time'), second);
  await page.keyboard.press('Control+z');
  assert.equal(await answer(page, 'time'), first);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('a pinned scenario stays in the link, in a table and on every chart', async () => {
  const page = await calculator();
  await page.locator('[data-action=pin]').click();
  await type(page, 'params', '13e9');
  const rows = page.locator('.difference table').nth(1).locator('tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 12);
  assert.equal(await page.locator('.difference table').first().locator('tbody tr').count() >= 1, true);
  await page.locator('.chart details summary').first().click();
  await page.locator('.chart table').first().waitFor();
  assert.equal(await page.locator('.chart table').first().locator('thead th').count(), 4);
  await page.waitForFunction(() => location.search.includes('a='));
  await page.reload();
  await page.locator('.difference table').first().waitFor();
  await page.locator('[data-action=pin]').click();
  assert.equal(await page.locator('.difference').count(), 0);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('figures, charts and citations are saved', async () => {
  const page = await calculator('?v=1&gpus=128');
  const json = JSON.parse((await saved(page, 'json')).bytes.toString());
  assert.equal(json.cluster.gpus, 128);
  assert.equal(json.schema, 1);
  assert.match((await saved(page, 'csv')).bytes.toString(), /^# crossover schema 1/);
  const svg = await saved(page, 'time-gpus-svg');
  assert.equal(svg.name, 'time-gpus.svg');
  assert.match(svg.bytes.toString(), /<svg[\s\S]+<\/svg>/);
  const png = await saved(page, 'cost-bandwidth-png');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  assert.match((await saved(page, 'bib')).bytes.toString(), /url = \{http:\/\/127\.0\.0\.1:\d+\/a\/b\/de\/rechner\/\?v=1&gpus=128\}/);
  assert.match((await saved(page, 'cff')).bytes.toString(), /^cff-version: 1\.2\.0/);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('the launch plan of an engine is shown and saved, hostile names and all', async () => {
  const page = await calculator();
  await page.locator('#tab-launch').click();
  await page.locator('[data-launch=engine]').selectOption('slurm');
  const code = page.locator('.launch-file pre').first();
  await page.waitForFunction(() => document.querySelector('.launch-file pre')?.textContent.includes('#SBATCH'));
  await page.locator('[data-launch=name]').fill('x"; rm -rf / #');
  await page.waitForTimeout(100);
  assert.doesNotMatch(await code.textContent(), /^rm -rf/m);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.launch-file a[download]').first().click()]);
  assert.match(readFileSync(await download.path()).toString(), /#SBATCH/);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('from the comparison to the calculator and back the scenario is kept, though each loads its own program', async () => {
  const page = await site.page();
  await page.visit(`${COMPARISON}?v=1&gpus=256`);
  await page.locator('a.all-settings').click();
  await page.waitForFunction(() => document.documentElement.dataset.page === 'calculator' && document.documentElement.dataset.app === 'ready');
  assert.match(page.url(), /gpus=256/);
  await page.goBack();
  await page.waitForFunction(() => document.documentElement.dataset.page === 'comparison');
  assert.match(page.url(), /gpus=256/);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});

test('the model is scaled to own runs, typed or from a file, and the link carries it', async () => {
  const page = await calculator();
  const first = await answer(page, 'time');
  await page.locator('#tab-own').click();
  await page.locator('[data-own=lines]').fill('64 60\nunsinn');
  await page.locator('[data-own=fit]').click();
  assert.equal(await page.locator('#panel-own table tbody tr').count(), 1);
  assert.match(await page.locator('#panel-own [role=alert]').first().textContent(), /Zeile 2/);
  assert.notEqual(await answer(page, 'time'), first);
  await page.waitForFunction(() => /owncomp=/.test(location.search));
  await page.locator('[data-own=file]').setInputFiles({
    name: 'runs.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('id,source,gpu,num_gpus,layers,hidden,seq_len,global_batch_seqs,step_seconds\nmine,own,A100-80GB,8,24,2048,2048,64,2.5\n'),
  });
  await page.locator('#panel-own td, #panel-own th', { hasText: 'mine' }).first().waitFor();
  await page.locator('[data-own=drop]').click();
  assert.equal(await answer(page, 'time'), first);
  assert.deepEqual(page.faults(), []);
  await page.context().close();
});
