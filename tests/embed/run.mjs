// Builds each host's example with its own tool and looks at it in Chromium. `--only html,mkdocs` selects, `--shots` leaves screenshots.
//
// CROSSOVER_SITE   the built site (dist)
// CROSSOVER_TOOLS  where the hosts' tools are kept (.tools/embed)
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { open } from './lib/browser.mjs';
import { element } from './lib/element.mjs';
import { frame } from './lib/frame.mjs';
import { host as testHost } from './lib/host.mjs';
import { HOSTS } from './lib/hosts.mjs';
import { many, policies } from './lib/page.mjs';
import { serve } from './lib/serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const project = join(here, '../..');
const out = join(here, 'out');
const dist = resolve(process.env.CROSSOVER_SITE || join(project, 'dist'));
const tools = resolve(process.env.CROSSOVER_TOOLS || join(project, '.tools/embed'));
const run = promisify(execFile);

const arg = (name) => process.argv[process.argv.indexOf(name) + 1];
const ALONE = { element, frame, policies };
const GROUPS = [...Object.keys(ALONE), ...Object.keys(HOSTS), 'many'];
const only = process.argv.includes('--only') ? arg('--only').split(',') : GROUPS;
const unknown = only.filter((name) => !GROUPS.includes(name));
if (unknown.length) {
  console.error(`--only: ${unknown.join(', ')} is none of ${GROUPS.join(', ')}`);
  process.exit(2);
}
const shots = process.argv.includes('--shots') ? join(out, 'shots') : null;
if (shots) mkdirSync(shots, { recursive: true });

/** The snippet `name`, as the project gives it away. */
const snippet = (name) => readFileSync(join(project, 'examples/snippets', `${name}.txt`), 'utf8');

/** Does the example hold the very text of its snippets? */
function checkSnippets(name, { snippets, snippetNames = { iframe: 'iframe', component: 'component' } }) {
  for (const [kind, file] of Object.entries(snippets)) {
    const text = readFileSync(join(project, 'examples', name, file), 'utf8');
    const held = file.endsWith('.ipynb') ? JSON.parse(text).cells.map((cell) => cell.source.join('')).join('\n') : text;
    if (!held.includes(snippet(snippetNames[kind]).trimEnd())) throw new Error(`examples/${name}/${file} does not hold the text of examples/snippets/${snippetNames[kind]}.txt`);
  }
}

/** The pages of a host, in a folder. */
async function build(name, url) {
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run(join(project, 'examples/build'), [name, folder], { env: { ...process.env, CROSSOVER_URL: url, CROSSOVER_TOOLS: tools }, maxBuffer: 1 << 26 })
    .catch((error) => { throw new Error(`examples/build ${name}: ${`${error.stderr}${error.stdout}`.trim().split('\n').slice(-8).join(' / ')}`); });
  return join(folder, 'site');
}

const chromium = await open();
const public_ = join(project, 'public');
const folders = [public_, dist];
// One that answers everybody, and one that knows nothing of others.
const site = await serve({ folders, headers: { 'access-control-allow-origin': '*' } });
const plain = await serve({ folders });

const context = { chromium, site, plain, folders, public_, shots, tools, snippet };
const results = [];
for (const name of only) {
  const started = Date.now();
  const say = (text) => console.log(`  ${name}: ${text}`);
  try {
    if (name in HOSTS) {
      checkSnippets(name, HOSTS[name]);
      await testHost({ ...context, name, folder: await build(name, site.url), host: HOSTS[name], say });
    } else await (ALONE[name] ?? many)({ ...context, say });
    results.push([name, 'PASS', `${((Date.now() - started) / 1000).toFixed(1)} s`]);
  } catch (error) {
    results.push([name, 'FAIL', error.message]);
  }
}
await chromium.close();
site.close();
plain.close();
for (const [name, result, note] of results) console.log(`${result.padEnd(8)}${name.padEnd(12)}${note}`);
const passed = results.filter(([, result]) => result === 'PASS').length;
console.log(`# pass ${passed}\n# fail ${results.length - passed}`);
process.exit(passed === results.length ? 0 : 1);
