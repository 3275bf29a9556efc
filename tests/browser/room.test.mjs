// What stands in the way of what, and what moves.

import assert from "node:assert/strict";
import { test } from "./harness.mjs";

const finished = (page) => page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state())?.finished);

test("what comes when one looks has its room before", async ({ page, open }) => {
  await open("#replicas&requests=20000");
  await finished(page);
  const height = () => page.evaluate(() => document.querySelector("main").offsetHeight);
  const before = await height();
  await page.locator(".place").scrollIntoViewIfNeeded();
  await page.getByRole("heading", { name: "The servers at work" }).waitFor();
  await page.getByRole("heading", { name: "One request" }).waitFor();
  const moved = Math.abs((await height()) - before);
  assert.ok(moved < 60, `the end of the page moved by ${moved} px`);
});

for (const link of ["#fan-out&requests=20000", "#replicas&requests=20000"]) {
  test(`on a projector the figure is seen with its sentence: ${link}`, { viewport: { width: 1024, height: 768 } }, async ({ page, open, axe, screenshot }) => {
    await open(link);
    await finished(page);
    // The first plot is three fifths of a chart that has two.
    const shown = await page.evaluate(() => {
      const plot = document.querySelector("figure .plot");
      const { top, height } = plot.getBoundingClientRect();
      return (innerHeight - top) / (plot.classList.contains("tall") ? 0.6 * height : height);
    });
    assert.ok(shown > 0.5, `${shown} of the figure`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0);
    const cut = await page.locator(".readout dd").evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.innerText));
    assert.deepEqual(cut, []);
    assert.deepEqual(await axe(), []);
    await screenshot(`projector-${link.slice(1, 5)}`);
  });
}

test("an open menu puts the sheet of controls away", { phone: true }, async ({ page, open }) => {
  await open("#fan-out&requests=20000");
  await page.locator(".grab").click();
  await page.getByRole("button", { name: /Choose a scenario/ }).click();
  assert.equal(await page.locator(".rail").isVisible(), false);
  await page.getByRole("link", { name: "Pages", exact: true }).click();
  await page.waitForFunction(() => document.title.startsWith("Pages"));
  assert.equal(await page.locator(".rail").isVisible(), true);
});

test("the menu closes by a key, and by a tap beside it", { phone: true }, async ({ page, open }) => {
  await open("#fan-out&requests=20000");
  const button = page.locator(".top button[aria-controls=scenarios]");
  const list = page.locator("#scenarios");
  await button.tap();
  await list.waitFor({ state: "visible" });
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await button.tap();
  await list.waitFor({ state: "visible" });
  await page.touchscreen.tap(200, 800);
  await list.waitFor({ state: "hidden" });
});
