// Every page loads without a fault, says what it is, and fits its screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMPARISON, PAGES, open } from './lib/site.mjs';

let site;
before(async () => { site = await open(); });
after(() => site.close());

for (const path of PAGES) {
  test(`${path} loads without a fault`, async () => {
    const page = await site.page();
    await page.visit(path);
    await page.waitForLoadState('networkidle');
    assert.deepEqual(page.faults(), []);
    const lang = path.includes('lang=') ? path.slice(-2) : path.slice(0, 2);
    assert.equal(await page.getAttribute('html', 'lang'), lang);
    assert.equal(await page.locator('h1').count(), 1);
    await page.context().close();
  });

  for (const width of [320, 390]) {
    test(`${path} does not scroll sideways at ${width} px`, async () => {
      const page = await site.page({ viewport: { width, height: 800 } });
      await page.visit(path);
      const wide = await page.evaluate(() => {
        const limit = document.documentElement.clientWidth;
        const inside = (element) => element.closest('.scroll, pre, .sr-only, .skip, .picture');
        const beyond = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > limit + 1 && !inside(element));
        return { scroll: document.scrollingElement.scrollWidth - limit, beyond: beyond.slice(0, 5).map((element) => `${element.tagName}.${element.className}`) };
      });
      assert.deepEqual(wide, { scroll: 0, beyond: [] });
      await page.context().close();
    });
  }
}

test('the root goes on to the stored language, else to the browser’s', async () => {
  for (const [locale, stored, expected] of [['de-AT', null, 'de/'], ['fr-FR', null, 'en/'], ['en-GB', 'de', 'de/']]) {
    const page = await site.page({ locale });
    if (stored) await page.context().addInitScript((lang) => localStorage.setItem('crossover-lang', lang), stored);
    await page.goto(site.root);
    await page.waitForURL(site.root + expected);
    await page.context().close();
  }
});

const readHead = () => {
  const absolute = (address) => new URL(address, document.baseURI).href;
  const meta = (key) => document.querySelector(`meta[name="${key}"], meta[property="${key}"]`)?.content;
  return {
    title: document.title,
    description: meta('description'),
    ogTitle: meta('og:title'),
    ogDescription: meta('og:description'),
    ogLocale: meta('og:locale'),
    canonical: [...document.querySelectorAll('link[rel=canonical]')].map((link) => absolute(link.getAttribute('href'))),
    alternates: [...document.querySelectorAll('link[hreflang]')].map((link) => `${link.hreflang} ${absolute(link.getAttribute('href'))}`).sort(),
  };
};

for (const path of PAGES) {
  test(`${path} says the same of itself before and after the app takes over`, async () => {
    const still = await site.page({ javaScriptEnabled: false });
    await still.goto(site.root + path.replace('lang=de', 'lang=en'));
    const before = await still.evaluate(readHead);
    const live = await site.page();
    await live.visit(path.replace('lang=de', 'lang=en'));
    const afterwards = await live.evaluate(readHead);
    assert.deepEqual(afterwards, before);
    for (const key of ['title', 'description', 'ogTitle', 'ogDescription', 'ogLocale']) assert.ok(before[key], key);
    if (!path.startsWith('embed')) {
      assert.deepEqual(before.canonical, [site.root + path]);
      assert.deepEqual(before.alternates.map((line) => line.split(' ')[0]), ['de', 'en', 'x-default']);
    }
    await still.context().close();
    await live.context().close();
  });
}

test('without JavaScript the comparison is complete and its links lead somewhere', async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.root + COMPARISON);
  const count = (selector) => page.locator(selector).count();
  assert.equal(await count('table.comparison tbody tr[id]'), 8);
  assert.equal(await count('details.try'), 10);
  assert.equal(await count('.topic'), 6);
  assert.equal(await count('.myth'), 5);
  assert.equal(await count('.myth .fact figure.chart svg'), 5);
  assert.ok(await count('figure.chart svg') >= 4);
  const links = await page.$$eval('a[href]', (all) => [...new Set(all.map((link) => link.href.split('#')[0]))]);
  const own = links.filter((link) => link.startsWith(site.root));
  assert.ok(own.length >= 5);
  for (const link of own) assert.equal((await fetch(link)).status, 200, link);
  await page.context().close();
});

test('the page for unknown addresses has the brightness that the reader chose', async () => {
  const page = await site.page({ colorScheme: 'light' });
  await page.visit('en/');
  const paper = async () => {
    await page.goto(`${site.root}nothing`);
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };
  assert.equal(await paper(), 'rgb(251, 250, 247)');
  await page.evaluate(() => localStorage.setItem('crossover-theme', 'dark'));
  assert.equal(await paper(), 'rgb(18, 20, 26)');
  await page.context().close();
});

test('an unknown address says so and leads back, at any depth', async () => {
  for (const path of ['de/nirgendwo/x/y/', 'nothing']) {
    const page = await site.page();
    const answer = await page.goto(site.root + path);
    assert.equal(answer.status(), 404);
    await page.waitForFunction((root) => document.querySelector('a[data-path="de/"]')?.href === `${root}de/`, site.root);
    assert.equal(await page.locator('h1').count(), 2);
    await page.context().close();
  }
});

test('the app takes over without a jump and with the same answers', async () => {
  for (const path of [COMPARISON, 'en/calculator/']) {
    const still = await site.page({ javaScriptEnabled: false });
    await still.goto(site.root + path);
    const texts = (page) => page.$$eval('[data-answer], .strip small, .live, figcaption', (all) => all.map((one) => one.textContent.trim()));
    const before = await texts(still);
    for (const width of [390, 1440]) {
      const page = await site.page({ viewport: { width, height: 900 } });
      await page.visit(path);
      await page.waitForTimeout(500);
      const shift = await page.evaluate(() => new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; })).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 300);
      }));
      assert.ok(shift < 0.05, `${path} at ${width}: ${shift}`);
      assert.deepEqual(await texts(page), before);
      await page.context().close();
    }
    await still.context().close();
  }
});
