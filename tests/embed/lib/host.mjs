// One host, built by its own tool: does the calculator live in it, and does the host stay as it was?
import { join } from 'node:path';
import { body, calculator, inside, looks, shown, slide, themeInside, until } from './browser.mjs';
import { serve } from './serve.mjs';

export async function host({ chromium, site, name, folder, host: own, shots, tools, say }) {
  // Another name than the site's: the frame is a stranger, as it will be.
  const server = own.serve ? await own.serve(folder, tools) : await serve({ folders: [folder], host: 'localhost' });
  const shot = (page, what) => shots && page.screenshot({ path: join(shots, `${name}-${what}.png`) });
  const visit = async (kind, options) => {
    const page = await chromium.page({ ...own.options, ...options });
    await page.goto(server.url + own.paths[kind]);
    await own.open?.(page);
    return page;
  };
  const quiet = (page, what) => {
    if (page.faults.length) throw new Error(`${what}: ${page.faults.slice(0, 3).join('; ')}`);
  };
  try {
    const framed = await visit('iframe');
    await calculator(framed, { frame: `iframe[src^="${site.url}/embed/"]` });
    await framed.locator(`iframe[src^="${site.url}/embed/"]`).scrollIntoViewIfNeeded();
    await shot(framed, 'iframe');
    quiet(framed, 'the page with the frame');
    await framed.end();

    // How the host looks where the script never came.
    const bare = await visit('component', { without: '**/embed.js' });
    await bare.locator(own.reference).first().waitFor();
    const before = await looks(bare, own.reference);
    if (!(await bare.locator('crossover-calculator a').first().isVisible())) throw new Error('without the script, the link inside the element is not to be seen');
    await bare.end();

    const page = await visit('component');
    await page.locator('crossover-calculator').first().scrollIntoViewIfNeeded();
    const place = await shown(page);
    if (await page.locator('crossover-calculator a').first().isVisible()) throw new Error('the link inside the element is still shown beside the calculator');
    await shot(page, 'light');

    const after = await looks(page, own.reference);
    if (after !== before) {
      const lines = before.split('\n');
      throw new Error(`the host's own paragraph looks different: ${after.split('\n').filter((line, at) => line !== lines[at]).slice(0, 4).join('; ')}`);
    }

    await resizes(page, place, own.narrow);
    await speaks(page, place);

    await prints(page, place);

    if ((await themeInside(place)) !== 'light') throw new Error(`on the light host the calculator is ${await themeInside(place)}`);
    await own.dark(page);
    await until('the calculator to turn dark with its host', async () => (await themeInside(place)) === 'dark');
    await page.waitForTimeout(500);
    await shot(page, 'dark');
    await own.light(page);
    await until('the calculator to turn light again', async () => (await themeInside(place)) === 'light');

    if (own.away) {
      await page.evaluate(() => { window.stillTheSamePage = true; });
      await own.away(page);
      await until('the other page', () => page.evaluate(() => !document.querySelector('crossover-calculator')));
      if (own.instant && !(await page.evaluate(() => window.stillTheSamePage))) throw new Error('the host loaded the other page, where it was to replace it');
      await page.goBack();
      await until('the page with the calculator', () => page.evaluate(() => Boolean(document.querySelector('crossover-calculator'))));
      await page.locator('crossover-calculator').first().scrollIntoViewIfNeeded();
      await shown(page);
      await speaks(page, await shown(page));
    }
    quiet(page, 'the page with the element');
    await page.end();
    say('frame, element, height, print, theme, estimate, change' + (own.away ? `, away and back${own.instant ? ' (instantly)' : ''}` : ''));
  } finally {
    server.close();
  }
}

/** The frame is as high as what it shows, at every width. */
async function resizes(page, place, narrowWidth = 390) {
  const fits = async () => {
    const frame = await place.evaluate((one) => one.clientHeight);
    const content = await heightInside(place);
    return Math.abs(frame - content) <= 1 ? frame : 0;
  };
  const wide = await until('the frame to fit its content', fits);
  const size = page.viewportSize();
  await page.setViewportSize({ width: narrowWidth, height: size.height });
  const narrow = await until('the narrow frame to fit its content', async () => { const height = await fits(); return height !== wide && height; });
  await page.setViewportSize(size);
  await until('the frame to fit as before', async () => (await fits()) === wide);
  if (!(narrow > 0)) throw new Error('the frame did not change its height');
}

/** On paper the answers and charts are there, in full height, without what is of use on a screen only. */
async function prints(page, place) {
  await page.emulateMedia({ media: 'print' });
  const within = inside(place);
  await until('the sliders to leave the paper', async () => !(await within.locator('input[type=range]').first().isVisible()));
  if (!(await within.locator('[data-answer]').first().isVisible()) || !(await within.locator('canvas').first().isVisible())) throw new Error('on paper, answers or charts are missing');
  await until('the printed frame to fit its content', async () => Math.abs((await heightInside(place)) - (await place.evaluate((one) => one.clientHeight))) <= 1);
  if (!(await page.pdf()).subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('the page does not print');
  await page.emulateMedia({ media: 'screen' });
  await until('the frame to fit on the screen again', async () => Math.abs((await heightInside(place)) - (await place.evaluate((one) => one.clientHeight))) <= 1);
}

const heightInside = (place) => body(place).evaluate((one) => Math.ceil(one.getBoundingClientRect().height));

/** A slider in the frame is an event outside; a question is answered. */
async function speaks(page, place) {
  await page.evaluate(() => {
    window.heard = null;
    document.querySelector('crossover-calculator').addEventListener('change', ({ detail }) => { window.heard = detail; });
  });
  await slide(place);
  const heard = await until('a change event with answers', () => page.evaluate(() => window.heard));
  if (!heard.scenario.includes('v=1') || !(heard.answers.cluster.time_s > 0)) throw new Error(`a change event without scenario or answers: ${JSON.stringify(heard)}`);
  const [few, more] = await page.evaluate(() => {
    const calculator = document.querySelector('crossover-calculator');
    return Promise.all([calculator.estimate('v=1&params=7e9&gpus=8'), calculator.estimate('v=1&params=7e9&gpus=64')]);
  });
  if (!(few.cluster.time_s > more.cluster.time_s)) throw new Error('eight GPUs are not slower than 64');
}
