// axe finds nothing serious on any page, light or dark.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { PAGES, alive, open } from './lib/site.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let site;
before(async () => { site = await open(); });
after(() => site.close());

for (const theme of ['light', 'dark']) {
  for (const path of [...PAGES, 'de/rechner/?v=1&params=7e10&gpus=512&strategy=fsdp&tokens=1e9', 'embed/claim-c/de/?lang=de', 'embed/claim-f/en/?lang=en']) {
    test(`${path} in ${theme}`, async () => {
      const page = await site.page({ theme });
      await page.visit(path.startsWith('embed') ? `${path}&theme=${theme}` : path);
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
      await alive(page);
      if (path.includes('rechner')) await page.click('#tab-arithmetic');
      // The embedded page lets its host's page shine through; axe takes that for white.
      if (path.startsWith('embed')) await page.evaluate(() => { document.body.style.background = 'var(--paper)'; });
      await page.addScriptTag({ path: axe });
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ')}`), []);
      await page.context().close();
    });
  }
}
