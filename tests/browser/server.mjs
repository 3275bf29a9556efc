// The built site as a plain static host would serve it: below a path, with nothing but a content type.

import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

// Not the root, so that a name with a leading slash is a missing file.
const BELOW = "/some/sub/path/";

const KINDS = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

// Serves what dist/ holds now, on a free port of this machine; a later build does not disturb it, and `files` may be
// changed.
export async function serve() {
  const files = await load();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(BELOW) ? pathname.slice(BELOW.length) || "index.html" : "";
    const content = files.get(name);
    const kind = content ? (KINDS[extname(name)] ?? "application/octet-stream") : "text/plain";
    response.writeHead(content ? 200 : 404, { "content-type": kind }).end(content ?? "not found");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}${BELOW}`;
  const stop = () => new Promise((done) => {
    server.close(done);
    server.closeAllConnections?.();
  });
  return { url, stop, files };
}

async function load() {
  const files = new Map();
  const visit = async (folder) => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path);
      else files.set(relative(DIST, path).split(sep).join("/"), await readFile(path));
    }
  };
  await visit(DIST).catch(() => {});
  if (!files.has("index.html")) throw new Error("dist/ holds no page: run `cargo xtask build` first");
  return files;
}
