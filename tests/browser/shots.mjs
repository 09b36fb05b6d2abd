// Screenshots of all pages, 390 and 1440 px wide, light and dark, German and English, into tests/browser/shots/.
// Arguments: parts of file names that are wanted; none means all.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGES, open } from './lib/site.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'shots');
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
const site = await open();
try {
  for (const path of [...PAGES, 'nowhere/']) {
    for (const width of [390, 1440]) {
      for (const theme of ['light', 'dark']) {
        const name = `${path.replace(/[^a-z-]+/g, '_').replace(/^_|_$/g, '')}-${width}-${theme}`;
        if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
        const page = await site.page({ theme, viewport: { width, height: 900 } });
        if (path === 'nowhere/') await page.goto(site.root + path);
        else await page.visit(path);
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
        await page.context().close();
        console.log(`${name}.png`);
      }
    }
  }
} finally {
  await site.close();
}
