// The page arrives whole, below any path, and asks nobody else for anything.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "./harness.mjs";

test("loads below a path without a complaint", async ({ page, open, url, seen }) => {
  await open();
  assert.equal(page.url(), url);
  assert.match(await page.title(), /Tail Lab$/);
  // Chromium warns about what was preloaded in vain some seconds after loading; so do broken hashed names.
  await page.waitForTimeout(4000);
  assert.deepEqual(seen, { errors: [], warnings: [], foreign: [] });
});

test("takes from its own folder only, each file once", async ({ page, open, url }) => {
  const asked = [];
  page.on("request", (it) => asked.push(it.url()));
  await open();
  await page.waitForLoadState("networkidle");
  const files = asked.filter((it) => !/^(blob|data):/.test(it));
  assert.ok(files.some((it) => it.endsWith(".wasm")), files.join("\n"));
  assert.deepEqual(files.filter((it) => !it.startsWith(url)), []);
  // The page reads its script again, to have it for its workers; it comes from the browser's cache where a host allows one.
  const once = files.filter((it) => !/\/tail-lab-[0-9a-f]+\.js$/.test(it));
  assert.deepEqual(once, [...new Set(once)]);
});

test("its policy refuses scripts written into the page", { faults: true }, async ({ page, open, seen }) => {
  await open();
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.intruder = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.intruder), undefined);
  assert.match(seen.errors.join("\n"), /Content Security Policy/);
});

test("says in words that it could not start", { faults: true }, async ({ page, context, url, seen }) => {
  await context.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(url);
  await page.getByText("The simulation could not start here.").waitFor();
  assert.notDeepEqual(seen.errors, []);
});

for (const [name, options] of [["light", {}], ["dark", { dark: true }], ["phone", { phone: true }]]) {
  test(`is accessible: ${name}`, options, async ({ open, axe, screenshot }) => {
    await open();
    await screenshot(`page-${name}`);
    assert.deepEqual(await axe(), []);
  });
}

// Two scenarios share their names with parameters: the browser must not take the link for one to a control.
test("a scenario begins at its top", async ({ page, open }) => {
  await open("#fan-out&requests=20000");
  for (const name of ["Replicas", "Partitions"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.waitForFunction((key) => location.hash.startsWith(`#${key}`), name.toLowerCase());
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => scrollY), 0, name);
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "INPUT", name);
  }
});

test("every link that is kept gives its digits here as well", async ({ page, open }) => {
  const [links, digits] = await Promise.all(["links.txt", "digits.jsonl"].map(async (it) => {
    const text = await readFile(new URL(`../golden/${it}`, import.meta.url), "utf8");
    return text.trim().split("\n");
  }));
  await open("#fan-out&requests=1000");
  assert.ok(30 < links.length && links.length === digits.length);
  for (const [at, link] of links.entries()) {
    const here = await page.evaluate((it) => window.wasmBindings.tail_lab_json(it), link);
    assert.equal(here, digits[at], link);
  }
});
