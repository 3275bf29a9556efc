// The harness sees what it promises to see: a test that cannot fail proves nothing.

import assert from "node:assert/strict";
import { test } from "./harness.mjs";

// Runs code in the page and gives its consequences a moment to arrive.
async function cause(page, code, list, text) {
  await page.evaluate(code);
  for (let wait = 0; wait < 50 && !list.some((it) => it.includes(text)); wait += 1) await page.waitForTimeout(50);
  assert.ok(list.some((it) => it.includes(text)), `not seen: ${text}`);
}

test("sees what a page complains of", { faults: true }, async ({ page, context, open, seen }) => {
  await open();
  assert.deepEqual(seen, { errors: [], warnings: [], foreign: [] });
  await cause(page, () => console.warn("a warning"), seen.warnings, "a warning");
  await cause(page, () => console.error("an error"), seen.errors, "an error");
  await cause(page, () => setTimeout(() => { throw new Error("nobody catches this"); }), seen.errors, "nobody catches this");
  await cause(page, () => { fetch("gone").catch(() => {}); }, seen.errors, "404");
  const other = await context.newPage();
  await other.goto(page.url());
  await cause(other, () => console.error("from the other tab"), seen.errors, "from the other tab");
});

test("sees what a worker complains of", { faults: true }, async ({ page, open, seen }) => {
  await open();
  await cause(page, () => {
    const code = "console.error('from a worker'); setTimeout(() => { throw new Error('a worker throws') })";
    // Kept, or it may be collected before it says anything.
    window.kept = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
  }, seen.errors, "from a worker");
  await cause(page, () => {}, seen.errors, "a worker throws");
});

test("sees requests to other hosts, though the policy stops them", { faults: true }, async ({ page, open, seen }) => {
  await open();
  await cause(page, () => { new Image().src = "http://127.0.0.1:1/pixel.png"; }, seen.foreign, "pixel.png");
});

test("sees long tasks", async ({ page, open, longTasks }) => {
  await open();
  const before = (await longTasks()).length;
  await page.evaluate(() => new Promise((done) => setTimeout(() => {
    const start = performance.now();
    while (performance.now() - start < 120);
    done();
  })));
  await page.waitForTimeout(100);
  const tasks = (await longTasks()).slice(before);
  assert.ok(tasks.some((it) => 100 < it.duration), JSON.stringify(tasks));
});

test("sees what is not accessible", { faults: true }, async ({ page, open, axe }) => {
  await open();
  await page.evaluate(() => { document.body.append(new Image()); });
  const violations = await axe();
  assert.ok(violations.some((it) => it.startsWith("image-alt")), violations.join("\n"));
});
