// What a host must allow, and what ten calculators cost.
import { calculator, shown } from './browser.mjs';
import { serve } from './serve.mjs';

const page_ = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><body>${body}</body></html>`;

/** The directives that the documentation names are enough, and each is needed. */
export async function policies({ chromium, public_, dist, stub, speaks, snippet, say }) {
  const folders = speaks ? [public_, dist] : [public_, stub, dist];
  const site = await serve({ folders });
  const iframe = page_(snippet('iframe').replaceAll('https://YOUR-HOST', site.url));
  const component = page_(snippet('component').replaceAll('https://YOUR-HOST', site.url));
  // The rest is shut: no styles, no connections, no images.
  const frameOnly = `default-src 'none'; img-src data:; frame-src ${site.url}; style-src-attr 'unsafe-inline'`;
  const both = `default-src 'none'; img-src data: ${site.url}; script-src ${site.url}; frame-src ${site.url}`;
  const cases = [
    ['iframe', iframe, frameOnly, true],
    ['iframe without frame-src', iframe, frameOnly.replace(/frame-src [^;]+;/, ''), false],
    ['component', component, both, true],
    ['component without picture and img-src', component.replace(/<img[^>]*>/, ''), both.replace(` data: ${site.url}`, ' data:'), true],
    ['component, trusted types', component, `${both}; require-trusted-types-for 'script'`, true],
    ['component without script-src', component, both.replace(/script-src [^;]+;/, ''), false],
    ['component without frame-src', component, both.replace(/; frame-src.*$/, ''), false],
  ];
  for (const [name, html, policy, wanted] of cases) {
    const host = await serve({ host: 'localhost', pages: { '/': html }, headers: { 'content-security-policy': policy } });
    const page = await chromium.page();
    await page.goto(host.url);
    const lives = await (name.startsWith('iframe') ? calculator(page, { frame: 'iframe' }) : wanted ? shown(page) : page.waitForTimeout(1500).then(() => page.evaluate(() => document.querySelector('crossover-calculator').shadowRoot?.querySelector('.ready'))))
      .then((found) => Boolean(found), () => false);
    const complaints = page.faults.length;
    if (name.startsWith('component') && !wanted && !(await page.locator('crossover-calculator a').isVisible())) throw new Error(`${name}: the link inside is not shown`);
    await page.end();
    host.close();
    if (lives !== wanted) throw new Error(`${name}: ${lives ? 'lives' : 'does not live'} under ${policy}: ${page.faults.slice(0, 2).join('; ')}`);
    if (wanted && complaints) throw new Error(`${name}: ${page.faults.slice(0, 3).join('; ')}`);
  }

  // A frame without an origin needs a server that answers everybody.
  for (const [cors, wanted] of [[true, true], [false, false]]) {
    const open = await serve({ folders, headers: cors ? { 'access-control-allow-origin': '*' } : {} });
    const host = await serve({ host: 'localhost', pages: { '/': page_(`<script src="${open.url}/embed.js"></script><crossover-calculator isolated><a href="#">Instead</a></crossover-calculator>`) } });
    const page = await chromium.page();
    await page.goto(host.url);
    let lives = true;
    if (wanted) await shown(page);
    else lives = await page.waitForTimeout(2500).then(() => page.evaluate(() => Boolean(document.querySelector('crossover-calculator').shadowRoot.querySelector('.ready'))));
    await page.end();
    host.close();
    open.close();
    // The stub fetches nothing, so it lives either way.
    if (speaks && lives !== wanted) throw new Error(`isolated, ${cors ? 'with' : 'without'} CORS headers: ${lives ? 'lives' : 'does not live'}`);
  }

  // What the site's server gets to know: files, no page, no scenario in a body, no cookie.
  const seen = site.asked.filter((request) => request.method !== 'GET' || request.cookie || (request.referer && !request.referer.startsWith(site.url)));
  site.close();
  if (!seen.length && !site.asked.length) throw new Error('no request was seen');
  if (seen.length) throw new Error(`the server was told more than which file is wanted: ${JSON.stringify(seen[0])}`);
  say(`${cases.length} policies${speaks ? ', isolated with and without CORS headers' : ''}; requests are GET, without the host's address and cookies`);
}

/** Time and memory of ten calculators, in a browser of their own. */
export async function many({ chromium, site, say }) {
  const ten = Array.from({ length: 10 }, (_, at) => `<crossover-calculator scenario="v=1&params=7e9&gpus=${8 * (at + 1)}" height="300"></crossover-calculator>`).join('\n');
  const script = `<script src="${site.url}/embed.js" async></script>`;
  const host = await serve({ host: 'localhost', pages: { '/one': page_(script + ten.split('\n')[0]), '/ten': page_(script + ten), '/none': page_('') } });
  try {
    const measure = async (path, count) => {
      const page = await chromium.page({ viewport: { width: 1280, height: 12000 } });
      const started = Date.now();
      await page.goto(host.url + path);
      for (let index = 0; index < count; index += 1) await shown(page, index);
      const time = Date.now() - started;
      const memory = await resident(chromium.browser);
      const titles = await page.evaluate(() => new Set([...document.querySelectorAll('crossover-calculator')].map((one) => one.scenario)).size);
      if (titles !== count) throw new Error(`${titles} scenarios in ${count} calculators`);
      if (page.faults.length) throw new Error(page.faults.slice(0, 3).join('; '));
      await page.end();
      return { time, memory };
    };
    const none = await measure('/none', 0);
    const one = await measure('/one', 1);
    const all = await measure('/ten', 10);
    say(`one: ${one.time} ms, ${(one.memory - none.memory).toFixed(0)} MB; ten: ${all.time} ms, ${(all.memory - none.memory).toFixed(0)} MB (proportional memory of the browser's pages)`);
  } finally {
    host.close();
  }
}

/** Memory of all pages' processes in MB, shared pages counted in parts. */
async function resident(browser) {
  const { readFileSync } = await import('node:fs');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }).reduce((sum, part) => sum + part, 0);
}
