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
