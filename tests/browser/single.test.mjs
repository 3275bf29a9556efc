// The page in one file, opened from a disk.

import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test } from "./harness.mjs";

const FILE = fileURLToPath(new URL("../../dist/tail-lab.html", import.meta.url));
const state = (page) => page.evaluate(() => JSON.parse(window.wasmBindings.tail_lab_state()));

test("one file opens from a disk with all that it does", { faults: true, seconds: 60 }, async ({ page, seen }) => {
  const folder = await mkdtemp(join(tmpdir(), "tail lab "));
  try {
    const file = join(folder, "tail-lab.html");
    await copyFile(FILE, file).catch(() => assert.fail("run `cargo xtask build --single-file` first"));
    const asked = [];
    page.on("request", (it) => asked.push(it.url()));
    const url = pathToFileURL(file).href;
    await page.goto(`${url}?workers=2#fan-out&requests=20000`);
    await page.waitForFunction(() => window.wasmBindings);
    await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).finished);
    const { measures, workers, link } = await state(page);
    assert.equal(workers, 2);
    const alone = await page.evaluate((it) => JSON.parse(window.wasmBindings.tail_lab_json(it)), link);
    assert.deepEqual(measures.map((it) => it.simulated), alone.measures.map((it) => it.simulated));
    assert.match(await page.locator(".readout dl").innerText(), /±/);
    assert.ok(await page.evaluate(() => document.fonts.check('16px "Tail Lab Sans"')));
    await page.getByRole("button", { name: "Try it" }).click();
    await page.waitForFunction(() => location.hash.includes("hedge=after"));
    await page.reload();
    await page.waitForFunction(() => JSON.parse(window.wasmBindings?.tail_lab_state() ?? "null")?.finished);
    assert.match((await state(page)).link, /hedge=after/);
    await page.locator(".place").scrollIntoViewIfNeeded();
    await page.getByRole("heading", { name: "One request" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^PNG/ }).first().click(),
    ]);
    assert.equal((await readFile(await download.path())).subarray(1, 4).toString(), "PNG");
    assert.deepEqual(asked.filter((it) => !it.startsWith(url) && !/^(blob|data):/.test(it)), []);
    assert.deepEqual(seen.errors, []);
    assert.deepEqual(seen.warnings, []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
