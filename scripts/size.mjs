// Bytes of what the comparison page loads, raw and compressed, against the limit.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { join } from 'node:path';

const LIMIT = 300_000;
const folder = process.argv[2];
const page = readFileSync(join(folder, 'de/vergleich/verteilt-oder-zentral/index.html'), 'utf8');
// Files stand in quotes as ./NAME; what else ends in .wasm is code.
const names = new Set([...page.matchAll(/["'](?:\.\/)?([\w-]+\.(?:wasm|js|mjs|css))["']/g)].map((match) => match[1]));
const rows = [...names].map((name) => {
  const bytes = readFileSync(join(folder, name));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
});
const total = (key) => rows.reduce((sum, row) => sum + row[key], 0);
const line = (name, raw, gzip, brotli) => console.log(`${name.padEnd(44)}${[raw, gzip, brotli].map((n) => String(n).padStart(10)).join('')}`);
line('what the comparison page loads, bytes', 'raw', 'gzip', 'brotli');
for (const row of rows.sort((a, b) => b.brotli - a.brotli)) line(row.name, row.raw, row.gzip, row.brotli);
line('together', total('raw'), total('gzip'), total('brotli'));
if (!rows.some((row) => row.name.endsWith('.wasm'))) {
  console.error('expected the page to load a wasm file, found none');
  process.exit(1);
}
if (total('brotli') > LIMIT) {
  console.error(`${total('brotli')} bytes are more than the limit of ${LIMIT}`);
  process.exit(1);
}
