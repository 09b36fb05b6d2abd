// The built site under a sub-path, a browser, and pages that remember what went wrong on them.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const project = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export const PAGES = [
  'de/', 'en/',
  'de/vergleich/verteilt-oder-zentral/', 'en/compare/distributed-or-centralised/',
  'de/rechner/', 'en/calculator/',
  'de/methode/', 'en/method/',
  'de/einbetten/', 'en/embedding/',
  'embed/?lang=de', 'embed/?lang=en',
];
export const COMPARISON = 'de/vergleich/verteilt-oder-zentral/';
export const CALCULATOR = 'de/rechner/';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answers(address) {
  for (let tries = 0; tries < 100; tries += 1) {
    const ok = await fetch(address).then((answer) => answer.ok, () => false);
    if (ok) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`no answer from ${address}`);
}

/** Brings every claim that can be seen into view, until all of them live. */
export async function alive(page) {
  for (const place of await page.$$('[data-trial]')) {
    if (!await place.isVisible()) continue;
    await place.evaluate((one) => one.scrollIntoView());
    await page.waitForFunction((one) => !one.isConnected || one.querySelector('.trial canvas'), place);
  }
}

/** The site, served under /a/b/, and a browser. `page()` opens a page; `close()` ends both. */
export async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'crossover-'));
  mkdirSync(join(folder, 'a'));
  symlinkSync(join(project, 'dist'), join(folder, 'a/b'));
  cpSync(join(project, 'dist/404.html'), join(folder, '404.html'));
  const port = await freePort();
  const command = join(project, '.tools/npm/node_modules/.bin/http-server');
  const server = spawn(command, [folder, '-a', '127.0.0.1', '-p', String(port), '-c-1', '--silent'], { stdio: 'ignore' });
  const root = `http://127.0.0.1:${port}/a/b/`;
  await answers(`${root}de/`);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });

  /** A new page, in a visit of its own, that counts faults: console errors, exceptions, failed requests, other hosts. */
  async function page({ theme, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'de-DE', ...options });
    if (theme) await context.addInitScript((chosen) => localStorage.setItem('crossover-theme', chosen), theme);
    const opened = await context.newPage();
    const faults = [];
    opened.on('console', (message) => { if (message.type() === 'error') faults.push(`console: ${message.text()}`); });
    opened.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    // Chromium drops the second of two requests that a preload already answers: what counts is that a file never came.
    const arrived = new Set();
    const lost = new Set();
    opened.on('requestfinished', (request) => arrived.add(request.url()));
    opened.on('response', (response) => { if (response.ok()) arrived.add(response.url()); });
    opened.on('requestfailed', (request) => lost.add(request.url()));
    opened.on('request', (request) => { if (!request.url().startsWith(root) && !request.url().startsWith('data:')) faults.push(`other host: ${request.url()}`); });
    return Object.assign(opened, {
      /** What went wrong so far. */
      faults: () => [...faults, ...[...lost].filter((url) => !arrived.has(url)).map((url) => `failed: ${url}`)],
      /** Goes to a path and waits for the running app. */
      async visit(path) {
        await opened.goto(root + path);
        await opened.waitForSelector('html[data-app=ready]', { state: 'attached' });
      },
    });
  }

  return {
    root,
    browser,
    page,
    async close() {
      await browser.close();
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The texts of all answers. */
export const readAnswers = (page) => page.$$eval('[data-answer]', (all) => Object.fromEntries(all.map((one) => [one.dataset.answer, one.textContent])));

/** The pixels of all canvases, once two frames have passed. */
export const readPixels = (page) => page.evaluate(async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL());
});
