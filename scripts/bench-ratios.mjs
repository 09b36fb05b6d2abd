// What criterion measured, as ratios to the reference loop of the same run: printed, and written to target/bench.json.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'target/criterion';

/** Median nanoseconds by name, over all benchmarks below `at`. */
function medians(at) {
  return readdirSync(at, { withFileTypes: true }).filter((entry) => entry.isDirectory()).flatMap((entry) => {
    const inner = join(at, entry.name);
    if (entry.name !== 'new') return entry.name === 'report' || entry.name === 'base' || entry.name === 'change' ? [] : medians(inner);
    const { full_id: name } = JSON.parse(readFileSync(join(inner, 'benchmark.json'), 'utf8'));
    return [[name, JSON.parse(readFileSync(join(inner, 'estimates.json'), 'utf8')).median.point_estimate]];
  });
}

const all = new Map(medians(folder));
const reference = [...all].find(([name]) => name.startsWith('reference'));
if (!reference) {
  console.error(`expected a benchmark named "reference…" in ${folder}, found none`);
  process.exit(1);
}
const time = (ns) => (ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toFixed(1)} µs` : `${(ns / 1e6).toFixed(2)} ms`);
const gpus = (name) => Number(name.split('/').at(1) ?? 0);
const rows = [...all].sort(([a], [b]) => gpus(a) - gpus(b) || a.localeCompare(b));
for (const [name, ns] of rows) console.log(`${name.padEnd(48)}${time(ns).padStart(12)}${(ns / reference[1]).toFixed(2).padStart(12)} reference loops`);

/** Divisors of a number: the ways to share out that many GPUs between two degrees. */
const divisors = (n) => { let count = 0; for (let d = 1; d * d <= n; d += 1) if (n % d === 0) count += d * d === n ? 1 : 2; return count; };
const curve = rows.filter(([name]) => name.startsWith('search over GPUs/')).map(([name, ns]) => ({ gpus: gpus(name), ns, divisors: divisors(gpus(name)) }));
for (const { gpus: n, ns, divisors: d } of curve) console.log(`search on ${String(n).padStart(8)} GPUs: ${time(ns).padStart(9)}, ${d} divisors, ${time(ns / d)} a divisor`);
writeFileSync('target/bench.json', `${JSON.stringify({ reference_ns: reference[1], benchmarks: Object.fromEntries(rows.map(([name, ns]) => [name, { median_ns: ns, reference_loops: ns / reference[1] }])), search_over_gpus: curve }, null, 2)}
`);
