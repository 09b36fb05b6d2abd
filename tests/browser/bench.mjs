// Script time of a slider event with everything on screen recomputed and drawn, beside a reference loop of the same run; wasm memory afterwards.
// Prints the figures and writes them to target/bench-browser.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CALCULATOR, COMPARISON, open } from './lib/site.mjs';

const LIMIT_MS = 8;
const MEMORY_LIMIT = 64 * 2 ** 20;
const EVENTS = 200;
const MOVES = 1000;
const target = join(dirname(fileURLToPath(import.meta.url)), '../../target');

/** Runs in the page: one event of a slider, and the two frames in which everything that follows is drawn. */
async function move({ key, event, idle }) {
  const slider = document.querySelector(`.main-sliders input[type=range][data-key=${key}]`);
  const last = Number(slider.max);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  // Back and forth over the whole range, never the same value twice in a row.
  slider.value = String(Math.abs(((event * 7) % (2 * last)) - last));
  slider.dispatchEvent(new Event(idle ? 'nothing' : 'input', { bubbles: true }));
  await frame();
  await frame();
}

/** Milliseconds of script for each of `events` slider events, by the browser's own account: handlers, what they set off, and what is drawn. */
async function measure(page, devtools, { key, events, idle = false }) {
  const script = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'ScriptDuration').value;
  };
  const times = [];
  for (let event = 0; event < events; event += 1) {
    const before = await script();
    await page.evaluate(move, { key, event, idle });
    times.push((await script()) - before);
  }
  return times;
}

/** Runs in the page: a fixed piece of JavaScript that depends on the machine alone, in milliseconds. */
function reference() {
  const start = performance.now();
  let sum = 0;
  for (let at = 1; at <= 2_000_000; at += 1) sum += Math.sqrt(at) / (at + 1);
  return { ms: performance.now() - start, sum };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { events: times.length, p50_ms: quantile(sorted, 0.5), p95_ms: quantile(sorted, 0.95), max_ms: sorted.at(-1) };
}

const site = await open();
const result = { limit_ms: LIMIT_MS, pages: {} };
try {
  for (const path of [CALCULATOR, COMPARISON]) {
    const page = await site.page();
    await page.addInitScript(() => {
      // The one wasm instance of the page, for its memory.
      const own = WebAssembly.instantiateStreaming;
      WebAssembly.instantiateStreaming = async (...all) => {
        const made = await own.apply(WebAssembly, all);
        window.wasmMemory = made.instance.exports.memory;
        return made;
      };
    });
    await page.visit(path);
    const loops = [];
    for (let run = 0; run < 9; run += 1) loops.push((await page.evaluate(reference)).ms);
    const reference_ms = quantile(loops.sort((a, b) => a - b), 0.5);
    const devtools = await page.context().newCDPSession(page);
    // Time that the main thread computes, so that what else the machine does is not counted.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await measure(page, devtools, { key: 'gpus', events: 30 });
    // What the measuring itself takes: the same without the event.
    const idle = summary(await measure(page, devtools, { key: 'gpus', events: 50, idle: true }));
    const sliders = {};
    for (const key of ['params', 'gpus', 'bandwidth']) sliders[key] = summary(await measure(page, devtools, { key, events: EVENTS }));
    await measure(page, devtools, { key: 'params', events: MOVES - 3 * EVENTS - 30 });
    const memory_bytes = await page.evaluate(() => window.wasmMemory?.buffer.byteLength ?? null);
    result.pages[path] = { reference_ms, idle, sliders, memory_bytes };
    console.log(`${path}: reference loop ${reference_ms.toFixed(2)} ms; measuring alone takes p50 ${idle.p50_ms.toFixed(2)} ms, p95 ${idle.p95_ms.toFixed(2)} ms, which is in the figures`);
    for (const [key, s] of Object.entries(sliders)) {
      console.log(`  ${key}: p50 ${s.p50_ms.toFixed(2)} ms, p95 ${s.p95_ms.toFixed(2)} ms, max ${s.max_ms.toFixed(2)} ms; p95 is ${(s.p95_ms / reference_ms).toFixed(2)} reference loops`);
    }
    console.log(`  wasm memory after ${MOVES} moves: ${memory_bytes === null ? 'not known' : `${(memory_bytes / 2 ** 20).toFixed(1)} MiB`} (limit ${MEMORY_LIMIT / 2 ** 20})`);
    if (memory_bytes === null || memory_bytes > MEMORY_LIMIT) process.exitCode = 1;
    await page.context().close();
  }
} finally {
  await site.close();
}
const worst = Math.max(...Object.values(result.pages).flatMap(({ sliders }) => Object.values(sliders).map((s) => s.p95_ms)));
console.log(`worst p95: ${worst.toFixed(2)} ms (limit ${LIMIT_MS} ms on 2 cores)`);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'bench-browser.json'), `${JSON.stringify(result, null, 2)}\n`);
