// What a host must allow, and what ten calculators cost.
import { calculator, ready, shown } from './browser.mjs';
import { serve } from './serve.mjs';

const page_ = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><body>${body}</body></html>`;

/** The directives that the documentation names are enough, and each is needed. */
export async function policies({ chromium, folders, snippet, say }) {
  const open = { 'access-control-allow-origin': '*' };
  const site = await serve({ folders, headers: open });
  const iframe = page_(snippet('iframe').replaceAll('https://YOUR-HOST', site.url));
  const component = page_(snippet('component').replaceAll('https://YOUR-HOST', site.url));
  const framed = component.replace('<crossover-calculator', '<crossover-calculator framed');
  const claim = component.replace('<crossover-calculator', '<crossover-calculator view="claim" claim="c"');
  // The rest is shut: no styles, no connections, no images.
  const frame = `default-src 'none'; img-src data:; frame-src ${site.url}; style-src-attr 'unsafe-inline'`;
  const whole = `default-src 'none'; img-src data: ${site.url}; script-src ${site.url} 'wasm-unsafe-eval'; connect-src ${site.url}`;
  const both = `default-src 'none'; img-src data: ${site.url}; script-src ${site.url}; frame-src ${site.url}`;
  const trusted = "; require-trusted-types-for 'script'";
  const without = (policy, directive) => policy.split('; ').filter((part) => !part.startsWith(directive)).join('; ');
  // How it is shown: in the page, as a frame, not at all. Where a refusal comes first, the browser says so.
  const cases = [
    ['iframe', iframe, frame, 'frame'],
    ['iframe without frame-src', iframe, without(frame, 'frame-src'), null],
    ['element', component, whole, 'shared'],
    ['a claim in the element', claim, whole, 'shared'],
    ['element without picture and img-src', component.replace(/<img[^>]*>/, ''), whole.replace(` data: ${site.url}`, ' data:'), 'shared'],
    ['element without script-src', component, without(whole, 'script-src'), null],
    ['element without connect-src', component, without(whole, 'connect-src'), null],
    ['element without wasm-unsafe-eval', component, whole.replace(" 'wasm-unsafe-eval'", ''), null],
    ['element that falls back on frame-src', component, both, 'frame', 'refusal'],
    ['element that falls back, trusted types', component, `${whole}; frame-src ${site.url}${trusted}`, 'frame', 'refusal'],
    ['framed element', framed, both, 'frame'],
    ['framed element, trusted types', framed, both + trusted, 'frame'],
    ['framed element without script-src', framed, without(both, 'script-src'), null],
    ['framed element without frame-src', framed, without(both, 'frame-src'), null],
  ];
  for (const [name, html, policy, wanted, refusal] of cases) {
    const host = await serve({ host: 'localhost', pages: { '/': html }, headers: { 'content-security-policy': policy } });
    const page = await chromium.page();
    await page.goto(host.url);
    let found = null;
    if (!wanted) {
      await page.waitForTimeout(1500);
      const there = html === iframe
        ? page.locator('iframe').contentFrame().locator('[data-answer]')
        : page.locator('crossover-calculator .ready > *');
      if (await there.count()) found = 'something';
    } else if (html === iframe) {
      found = await calculator(page, { frame: 'iframe' }).then(() => 'frame', () => null);
    } else {
      found = await (html === claim ? ready : shown)(page).then((place) => (place.shared ? 'shared' : 'frame'), () => null);
    }
    if (html !== iframe && !wanted && !(await page.locator('crossover-calculator > a').isVisible())) throw new Error(`${name}: the link inside is not shown`);
    const complaints = [...page.faults];
    await page.end();
    host.close();
    if (found !== wanted) throw new Error(`${name}: ${found ?? 'nothing'} instead of ${wanted ?? 'nothing'} under ${policy}: ${complaints.slice(0, 2).join('; ')}`);
    if (wanted && !refusal === complaints.length > 0) throw new Error(`${name}: ${complaints.slice(0, 3).join('; ') || 'no refusal'}`);
  }

  // A program in the page, and a frame without an origin, need a server that answers everybody. Else it is a frame, or nothing.
  const servers = [['', open, 'shared'], ['', {}, 'frame'], ['isolated', open, 'frame'], ['isolated', {}, null]];
  for (const [attribute, headers, wanted] of servers) {
    const one = await serve({ folders, headers });
    const host = await serve({ host: 'localhost', pages: { '/': page_(`<script src="${one.url}/embed.js"></script><crossover-calculator ${attribute}><a href="#">Instead</a></crossover-calculator>`) } });
    const page = await chromium.page();
    await page.goto(host.url);
    let found = null;
    if (wanted) found = (await shown(page)).shared ? 'shared' : 'frame';
    else if (await page.waitForTimeout(2500).then(() => page.evaluate(() => Boolean(document.querySelector('crossover-calculator').shadowRoot.querySelector('.ready'))))) found = 'something';
    await page.end();
    host.close();
    one.close();
    if (found !== wanted) throw new Error(`${attribute || 'element'}, ${headers === open ? 'with' : 'without'} CORS headers: ${found} instead of ${wanted}`);
  }

  // What the site's server gets to know: files, no page, no scenario in a body, no cookie.
  const seen = site.asked.filter((request) => request.method !== 'GET' || request.cookie || (request.referer && !request.referer.startsWith(site.url)));
  site.close();
  if (!seen.length && !site.asked.length) throw new Error('no request was seen');
  if (seen.length) throw new Error(`the server was told more than which file is wanted: ${JSON.stringify(seen[0])}`);
  say(`${cases.length} policies; with and without CORS headers; requests are GET, without the host's address and cookies`);
}

/** Time and memory of ten calculators, in a browser of their own. */
export async function many({ chromium, site, say }) {
  const ten = (attribute) => Array.from({ length: 10 }, (_, at) => `<crossover-calculator ${attribute} scenario="v=1&params=7e9&gpus=${8 * (at + 1)}" height="300"></crossover-calculator>`).join('\n');
  const script = `<script src="${site.url}/embed.js" async></script>`;
  const pages = { '/none': page_('') };
  for (const attribute of ['', 'framed']) {
    pages[`/one${attribute}`] = page_(script + ten(attribute).split('\n')[0]);
    pages[`/ten${attribute}`] = page_(script + ten(attribute));
  }
  const host = await serve({ host: 'localhost', pages });
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
    for (const attribute of ['', 'framed']) {
      const one = await measure(`/one${attribute}`, 1);
      const all = await measure(`/ten${attribute}`, 10);
      const memory = (of) => `${(of.memory - none.memory).toFixed(0)} MB`;
      say(`${attribute ? 'each in a frame' : 'one program'}: one ${one.time} ms, ${memory(one)}; ten ${all.time} ms, ${memory(all)} (proportional memory of the browser's pages)`);
    }
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
