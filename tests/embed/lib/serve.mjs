// A static file server as plain as they come: no CORS headers, no Content-Security-Policy, unless a test asks for them.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json',
  '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json', '.woff2': 'font/woff2',
};

/**
 * Serves `folders`, the first that has a file wins; `pages` are texts by path, or functions of the request's URL; `headers` go with every
 * answer, as a function they get the request's URL. `host` is the name in the address.
 */
export async function serve({ folders = [], pages = {}, headers = {}, host = '127.0.0.1' }) {
  const asked = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://x');
    const path = normalize(decodeURIComponent(url.pathname));
    asked.push({ method: request.method, path: request.url, referer: request.headers.referer, cookie: request.headers.cookie });
    const extra = typeof headers === 'function' ? headers(url) : headers;
    const page = pages[path];
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': TYPES['.html'], ...extra });
      response.end(typeof page === 'function' ? page(url) : page);
      return;
    }
    for (const folder of folders) {
      const file = [join(folder, path), join(folder, path, 'index.html')].find((one) => existsSync(one) && statSync(one).isFile());
      if (!file) continue;
      if (!extname(path) && !path.endsWith('/')) {
        response.writeHead(301, { location: `${path}/${url.search}` });
        response.end();
        return;
      }
      response.writeHead(200, { 'content-type': TYPES[extname(file)] || 'application/octet-stream', 'cache-control': 'no-cache', ...extra });
      createReadStream(file).pipe(response);
      return;
    }
    // Browsers ask for it unasked.
    response.writeHead(path === '/favicon.ico' ? 204 : 404, extra);
    response.end();
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://${host}:${server.address().port}`,
    asked,
    close: () => { server.closeAllConnections(); server.close(); },
  };
}
