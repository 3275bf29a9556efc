// A and B, the sweep, and the advice on hedges.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "./harness.mjs";

const QUICK = "#fan-out&requests=20000";

const state = (page) => page.evaluate(() => JSON.parse(window.wasmBindings.tail_lab_state()));
const until = (page, what) => page.waitForFunction((it) => {
  const state = JSON.parse(window.wasmBindings.tail_lab_state());
  return state?.finished && state[it] !== false;
}, what);
const swept = (page) => page.waitForFunction(() => {
  const points = JSON.parse(window.wasmBindings.tail_lab_state())?.swept;
  return points && points[0] === points[1];
});
const addressed = (page, link) => page.waitForFunction((it) => location.hash === it, `#${link}`);

test("a study is pinned, held against another, and its link opens again", { seconds: 60 }, async ({ page, open, axe }) => {
  await open(QUICK);
  await until(page, "pinned");
  const { job } = await state(page);
  await page.getByRole("button", { name: "Pin as A" }).click();
  await addressed(page, "fan-out&requests=20000&a=same");
  assert.equal((await state(page)).pinned, true, "what was measured is kept");
  assert.equal((await state(page)).job, job, "and nothing is run again");
  await page.getByRole("radio", { name: "Off", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await addressed(page, "fan-out&hedge=after&requests=20000&a.hedge=off");
  await until(page, "pinned");
  const over = page.locator(".readout .key");
  assert.match(await over.locator(".a").innerText(), /^A 63\.\d\u202f%$/);
  assert.match(await over.locator(".d").innerText(), /−\d+\.\d ± \d/);
  assert.equal(await page.locator(".track .n").count() > 5, true, "A's values are notches");
  assert.deepEqual(await axe(), []);
  await page.reload();
  await page.waitForFunction(() => window.wasmBindings);
  await until(page, "pinned");
  assert.match(await over.locator(".d").innerText(), /−\d+\.\d ± \d/);
  await page.getByRole("button", { name: "Swap A and B" }).click();
  await addressed(page, "fan-out&requests=20000&a.hedge=after");
  assert.match(await over.locator(".d").innerText(), /\+\d+\.\d ± \d/);
  await page.getByRole("button", { name: "Unpin A" }).click();
  await addressed(page, "fan-out&requests=20000");
  assert.equal(await over.locator(".d").count(), 0);
});

test("a sweep's points appear, and a click goes there", { seconds: 90 }, async ({ page, open, axe, longTasks }) => {
  await open(QUICK);
  await page.getByRole("combobox", { name: "Sweep", exact: true }).selectOption("fan_out");
  await page.waitForFunction(() => location.hash.includes("sweep=fan_out:1..10000:16:log"));
  await swept(page);
  await page.getByText("16 of 16 points simulated").waitFor();
  const chart = page.getByRole("img", { name: /^Against Leaves it waits for/ });
  const { width } = await chart.boundingBox();
  await chart.click({ position: { x: width * 0.4, y: 120 } });
  await page.waitForFunction(() => /fan_out=\d+/.test(location.hash));
  await until(page, "pinned");
  await swept(page);
  assert.equal((await state(page)).swept[0], 16, "the points are kept");
  await chart.focus();
  await chart.press("Home");
  await chart.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#fan-out&fan_out=1&"));
  await page.getByRole("button", { name: "Table: Against Leaves it waits for" }).click();
  assert.equal(await page.locator(".sweep tbody tr").count(), 16);
  assert.deepEqual(await axe(), []);
  const link = await page.evaluate(() => location.hash);
  await open("");
  await open(link);
  await swept(page);
  await page.getByRole("combobox", { name: "and", exact: true }).selectOption("outlier_rate");
  await page.waitForFunction(() => location.hash.includes(",outlier_rate:"));
  await swept(page);
  await page.getByRole("button", { name: "Close the sweep" }).click();
  await page.waitForFunction(() => !location.hash.includes("sweep"));
  assert.ok((await longTasks()).every((it) => it.duration < 1000));
});

test("a heat map is walked cell by cell with the keys", { seconds: 90 }, async ({ page, open, axe, screenshot }) => {
  await open(`${QUICK}&sweep=fan_out:1..1000:5:log,outlier_rate:0.001..0.1:6:log`);
  await swept(page);
  const chart = page.getByRole("img", { name: /^Against Leaves it waits for and/ });
  const said = page.locator(".sweep .plot [aria-live]");
  const says = (words) => page.waitForFunction(([css, it]) => new RegExp(it).test(document.querySelector(css).textContent), [".sweep .plot [aria-live]", words]);
  const place = async () => {
    const words = await said.textContent();
    return /^Leaves it waits for (\S+), Slow answers (.+): p99\.9 .*(?:s|not known)$/.exec(words)?.slice(1) ?? words;
  };
  assert.equal(await page.getByRole("radiogroup", { name: "Percentiles of the sweep" }).getByRole("radio", { checked: true }).count(), 1);
  // One tab stop: from the choice before the chart into it, and from there to what comes after.
  await page.locator(".sweep").getByRole("radio", { name: "p99.9", exact: true }).focus();
  await page.keyboard.press("Tab");
  assert.ok(await chart.evaluate((it) => it === document.activeElement));
  await page.keyboard.press("ArrowUp");
  await says("^Leaves it waits for 178, ");
  assert.deepEqual(await place(), ["178", "1.585\u202f%"], "it starts in the cell in which the study stands");
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await place(), ["178", "3.981\u202f%"]);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await place(), ["32", "3.981\u202f%"]);
  await screenshot("sweep-cell");
  assert.deepEqual(await axe(), []);
  for (const key of ["Home", "PageDown"]) await page.keyboard.press(key);
  assert.deepEqual(await place(), ["1", "1 in 1,000"]);
  const seen = new Set();
  for (let row = 0; row < 6; row += 1) {
    await page.keyboard.press("Home");
    for (let column = 0; column < 5; column += 1) {
      seen.add(String(await place()));
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("ArrowUp");
  }
  assert.equal(seen.size, 30, "every cell is reached");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /#fan-out&fan_out=1000&.*outlier_rate=0\.1&/.test(location.hash));
  assert.ok(await chart.evaluate((it) => it === document.activeElement), "the focus stays");
  await page.keyboard.press("Escape");
  await says("^$");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".sweep")), null, "the map is one stop");
  // A click means the same cell.
  const { width, height } = await chart.boundingBox();
  await chart.click({ position: { x: width * 0.2, y: height * 0.75 } });
  await page.waitForFunction(() => /#fan-out&fan_out=1&.*outlier_rate=0\.00\d/.test(location.hash));
});

// The sentences that native runs give for the same questions.
const advice = (await readFile(new URL("../golden/advice.txt", import.meta.url), "utf8")).trim().split("\n");

for (const [at, line] of advice.entries()) {
  const [budget, link, said] = line.split("\t");
  test(`advice on replicas is that of native runs: ${at + 1}`, { seconds: 120 }, async ({ page, open, axe, screenshot }) => {
    await open(`#${link}`);
    await until(page, "pinned");
    const box = page.getByRole("textbox", { name: "Extra load allowed" });
    await box.fill(budget);
    await box.press("Tab");
    await page.getByRole("button", { name: "Find the best delay" }).click();
    await page.locator(".advise .said").waitFor({ timeout: 110000 });
    assert.equal(await page.locator(".advise .said b").innerText(), said);
    const tries = page.locator(".advise .said").getByRole("button", { name: "Try it" });
    if (said.startsWith("Do not")) {
      assert.equal(await tries.count(), 0);
      return;
    }
    await page.locator(".advise figure").scrollIntoViewIfNeeded();
    assert.deepEqual(await axe(), []);
    await screenshot("advice-replicas");
    await tries.click();
    await page.waitForFunction(() => /^#replicas&.*delay_ms=\d/.test(location.hash));
    await until(page, "advised");
    assert.equal(await page.getByText("That was for other settings.").count(), 0, "the delay is what the advice is on");
  });
}

test("advice on hedges is given and tried", { phone: true, dark: true, seconds: 60 }, async ({ page, open, axe, screenshot }) => {
  await open(QUICK);
  const budget = page.getByRole("textbox", { name: "Extra load allowed" });
  await budget.fill("lots");
  await budget.press("Tab");
  await page.getByText("A budget is above 0").waitFor();
  await budget.fill("2");
  await budget.press("Tab");
  await page.getByRole("button", { name: "Find the best delay" }).click();
  await until(page, "advised");
  await page.getByText(/^Hedge after \d.*: the p99\.9 is /).waitFor();
  const lowest = page.getByRole("radiogroup", { name: "Lowest" });
  for (const [aim, said] of [["p99", /: the p99 is /], ["share over 1\u202fs", /: the share over 1\u202fs falls from /]]) {
    await lowest.getByText(aim, { exact: true }).click();
    await page.getByRole("button", { name: "Find the best delay" }).click();
    await page.locator(".advise .said").getByText(said).waitFor();
  }
  await page.locator(".advise").scrollIntoViewIfNeeded();
  await screenshot("advice-on-a-share");
  assert.deepEqual(await axe(), []);
  await page.getByRole("button", { name: "Try it" }).last().click();
  await page.waitForFunction(() => /hedge=after&hedge_ms=\d/.test(location.hash));
});
