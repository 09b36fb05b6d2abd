// What the examples' hosts have of their own: where the pages are, how one goes from page to page, how they turn dark.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from './browser.mjs';
import { serve } from './serve.mjs';

const LIGHT_BROWSER = { colorScheme: 'light' };

export const HOSTS = {
  html: {
    snippets: { iframe: 'iframe.html', component: 'component.html' },
    paths: { iframe: '/iframe.html', component: '/component.html' },
    reference: '.reference',
    dark: (page) => page.evaluate(() => { document.documentElement.dataset.theme = 'dark'; }),
    light: (page) => page.evaluate(() => { document.documentElement.dataset.theme = 'light'; }),
    away: async (page) => {
      await page.evaluate(() => scrollTo(0, 0));
      // A click right after scrolling would still be taken for one into the frame that lay there.
      await page.waitForTimeout(300);
      await page.click('nav a[href="index.html"]');
    },
  },
  mdbook: {
    snippets: { iframe: 'src/iframe.md', component: 'src/component.md' },
    paths: { iframe: '/iframe.html', component: '/component.html' },
    reference: '.reference',
    dark: (page) => mdbookTheme(page, 'navy'),
    light: (page) => mdbookTheme(page, 'light'),
    away: (page) => page.locator('a[href="iframe.html"]').first().click(),
  },
  mkdocs: {
    snippets: { iframe: 'docs/iframe.md', component: 'docs/component.md' },
    paths: { iframe: '/iframe/', component: '/component/' },
    reference: '.reference',
    dark: (page) => page.locator('label[title="To dark"]').click(),
    light: (page) => page.locator('label[title="To light"]').click(),
    away: (page) => page.locator('.md-nav--primary a.md-nav__link', { hasText: 'In a frame' }).first().click(),
    // Instant navigation: the page is replaced, not loaded.
    instant: true,
    serve: materialSite,
  },
  sphinx: {
    snippets: { iframe: 'iframe.rst', component: 'component.rst' },
    snippetNames: { iframe: 'sphinx-iframe', component: 'sphinx-component' },
    paths: { iframe: '/iframe.html', component: '/component.html' },
    reference: 'p.reference',
    dark: (page) => furoTheme(page, 'dark'),
    light: (page) => furoTheme(page, 'light'),
    away: (page) => page.locator('.sidebar-tree a[href="iframe.html"]').first().click(),
  },
  docusaurus: {
    snippets: { iframe: 'docs/iframe.mdx', component: 'docs/component.mdx', config: 'docusaurus.config.js' },
    snippetNames: { iframe: 'docusaurus-iframe', component: 'docusaurus-component', config: 'docusaurus-config' },
    paths: { iframe: '/iframe/', component: '/component/' },
    reference: '.reference',
    dark: (page) => docusaurusTheme(page, 'dark'),
    light: (page) => docusaurusTheme(page, 'light'),
    away: (page) => page.locator('.menu__link[href^="/iframe"]').first().click(),
    instant: true,
  },
  jupyter: {
    snippets: { iframe: 'iframe.ipynb', component: 'component.ipynb' },
    snippetNames: { iframe: 'jupyter-iframe', component: 'jupyter-component' },
    paths: { iframe: '/lab/tree/iframe.ipynb?reset', component: '/lab/tree/component.ipynb?reset' },
    reference: '.jp-RenderedMarkdown .reference, .jp-RenderedMarkdown p:last-of-type',
    serve: jupyterLab,
    open: runNotebook,
    // Below this its side bars leave no room for a cell.
    narrow: 800,
    dark: (page) => jupyterTheme(page, 'JupyterLab Dark'),
    light: (page) => jupyterTheme(page, 'JupyterLab Light'),
  },
};
for (const host of Object.values(HOSTS)) host.options = { ...LIGHT_BROWSER, ...host.options };

/** Instant navigation follows the links that the site map names, and takes over the name of the server that it finds, but not its port. */
async function materialSite(site) {
  const pages = {};
  const server = await serve({ folders: [site], pages, host: 'localhost' });
  pages['/sitemap.xml'] = readFileSync(join(site, 'sitemap.xml'), 'utf8').replaceAll('https://docs.example', server.url);
  return server;
}

async function mdbookTheme(page, name) {
  await page.click('#mdbook-theme-toggle');
  await page.click(`#mdbook-theme-${name}`);
  await page.keyboard.press('Escape');
}

async function furoTheme(page, name) {
  await pressUntil(page, '.theme-toggle-header:visible, .theme-toggle-content:visible, .theme-toggle:visible', () => page.evaluate(() => document.body.dataset.theme), name);
}

async function docusaurusTheme(page, name) {
  await pressUntil(page, 'button[class*=toggleButton]:visible', () => page.evaluate(() => document.documentElement.dataset.themeChoice ?? document.documentElement.dataset.theme), name);
}

async function pressUntil(page, button, now, wanted) {
  for (let times = 0; times < 4 && (await now()) !== wanted; times += 1) await page.locator(button).first().click();
  if ((await now()) !== wanted) throw new Error(`the host did not turn ${wanted}`);
}

async function jupyterTheme(page, name) {
  await page.evaluate((theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme }), name);
  await until(`the theme ${name}`, () => page.evaluate((theme) => document.body.dataset.jpThemeName === theme, name));
}

async function jupyterLab(site, tools) {
  const port = await freePort();
  const home = join(site, '../home');
  const process_ = spawn(join(tools, 'jupyter/bin/jupyter'), [
    'lab', '--no-browser', '--allow-root', `--ServerApp.root_dir=${site}`, '--ServerApp.ip=127.0.0.1', `--ServerApp.port=${port}`, '--ServerApp.port_retries=0',
    '--IdentityProvider.token=', '--ServerApp.password=', '--LabApp.expose_app_in_browser=True', '--LabApp.news_url=None', '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
    '--LabApp.extension_manager=readonly',
  ], { stdio: 'ignore', env: { ...process.env, HOME: home, JUPYTER_CONFIG_DIR: join(home, 'config'), JUPYTER_DATA_DIR: join(home, 'data'), JUPYTER_RUNTIME_DIR: join(home, 'run'), IPYTHONDIR: join(home, 'ipython'), PATH: `${join(tools, 'jupyter/bin')}:${process.env.PATH}` } });
  const url = `http://localhost:${port}`;
  await until('JupyterLab to answer', () => fetch(`${url}/api`).then((answer) => answer.ok, () => false), 60000);
  return { url, close: () => process_.kill() };
}

async function runNotebook(page) {
  const wanted = page.url().match(/[a-z]+\.ipynb/)[0];
  await until('the notebook', () => page.evaluate((path) => window.jupyterapp?.shell?.currentWidget?.context?.path === path, wanted), 60000);
  await page.locator('.jp-Notebook .jp-CodeCell').first().waitFor({ timeout: 60000 });
  await until('a kernel', () => page.evaluate(() => window.jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'), 60000);
  await page.evaluate(() => window.jupyterapp.commands.execute('notebook:run-all-cells'));
  await page.locator('.jp-OutputArea-output iframe, .jp-OutputArea-output crossover-calculator').first().waitFor({ state: 'attached', timeout: 60000 });
}

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
