// Runs every test whose file or name contains all the words given, one after the other.

import { mkdir, readdir, rm } from "node:fs/promises";
import { launch, OUTPUT, perform, tests } from "./harness.mjs";
import { serve } from "./server.mjs";

const words = process.argv.slice(2);
const files = (await readdir(new URL(".", import.meta.url))).filter((it) => it.endsWith(".test.mjs")).sort();
const chosen = [];
for (const file of files) {
  await import(`./${file}`);
  const topic = file.replace(".test.mjs", "");
  for (const test of tests.splice(0)) {
    const title = `${topic}: ${test.name}`;
    if (words.every((it) => title.includes(it))) chosen.push({ ...test, title });
  }
}

await rm(OUTPUT, { recursive: true, force: true });
await mkdir(OUTPUT, { recursive: true });
const { url, stop } = await serve();
const browser = await launch();
let failed = 0;
for (const test of chosen) {
  const start = performance.now();
  const took = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    await perform(test, browser, url);
    console.log(`ok      ${test.title} (${took()})`);
  } catch (problem) {
    failed += 1;
    console.log(`FAILED  ${test.title} (${took()})\n${String(problem.stack ?? problem).replace(/^/gm, "        ")}`);
  }
}
await browser.close();
await stop();
console.log(`${chosen.length - failed} passed, ${failed} failed`);
// No test at all is a mistake in the words, not a success.
process.exit(failed === 0 && chosen.length > 0 ? 0 : 1);
