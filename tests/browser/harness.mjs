// What browser tests are written with.
//
//   import assert from "node:assert/strict";
//   import { test } from "./harness.mjs";
//
//   test("a slider moves the curve", async ({ page, open }) => {
//     await open("#fan-out&fan_out=200");
//     await page.getByRole("slider", { name: "Leaves" }).press("ArrowRight");
//     assert.equal(new URL(page.url()).hash, "#fan-out&fan_out=201");
//   });
//
//   test("fits a phone", { phone: true, dark: true }, async ({ open, axe, screenshot }) => { ... });
//
// Every `*.test.mjs` in this folder is run by `cargo xtask test`, or, on what dist/ holds, by
// `node run.mjs [words that a file or test name contains]`. Each test has a fresh profile, no state is shared.
//
// Options of a test (all may be left out):
//   dark, touch, reducedMotion   booleans
//   phone                        390 x 844 at 3 device pixels, with touch
//   viewport                     { width, height }, 1440 x 900 if nothing is said
//   locale                       "ja-JP", ...; "en-GB" if nothing is said
//   seconds                      the time limit, 30
//   faults                       true: console errors and the like are expected; the test looks at `seen` itself
//
// What a test is given:
//   open(link)        opens the page with what follows its address, waits until the program has started
//   url               the address of the page, which lies below a path
//   page, context     Playwright's; `context.newPage()` opens another tab, which is watched too
//   seen              what went wrong so far: { errors, warnings, foreign }, each a list of sentences.
//                     errors: console errors, uncaught exceptions, crashes. foreign: requests to other hosts.
//                     Without `faults`, a test fails in the end if errors or foreign holds anything.
//   axe(options)      runs axe-core on the page as it stands: a list of violations, each a sentence
//   longTasks()       the tasks over 50 ms on the page so far: a list of { start, duration } in ms
//   screenshot(name)  writes output/<name>.png; a failing test leaves output/failed-<its name>.png by itself

import { readFile } from "node:fs/promises";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const OUTPUT = fileURLToPath(new URL("output/", import.meta.url));

// Everything registered by `test`, in the order of the files.
export const tests = [];

export function test(name, options, body) {
  if (body === undefined) [options, body] = [{}, options];
  tests.push({ name, options, body });
}

// A Chromium with a profile of its own, which is gone afterwards.
export function launch() {
  return chromium.launch({
    executablePath: executable(),
    args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// Runs one test; throws what is wrong.
export async function perform({ name, options, body }, browser, url) {
  const context = await browser.newContext(contextOptions(options));
  const seen = watch(context, new URL(url).origin);
  await context.addInitScript(observeLongTasks);
  const page = await context.newPage();
  const screenshot = (name) => page.screenshot({ path: join(OUTPUT, `${name}.png`) });
  const open = async (link = "") => {
    await page.goto(url + link);
    await page.waitForFunction(() => window.wasmBindings);
  };
  const longTasks = () => page.evaluate(() => window.longTasksSoFar());
  const tools = { page, context, url, seen, open, axe: (options) => axe(page, options), longTasks, screenshot };
  try {
    await within(options.seconds ?? 30, body(tools));
    if (!options.faults) demandNothing(seen);
  } catch (problem) {
    // The page may be what is broken: no picture then, and the problem itself is what counts.
    await within(5, screenshot(`failed-${name.replace(/[^\p{L}\p{N}]+/gu, "-")}`)).catch(() => {});
    if (!options.faults) problem.message += faults(seen);
    throw problem;
  } finally {
    await within(10, context.close()).catch(() => {});
  }
}

// The environment's choice, or the first of the usual names on PATH.
function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here: look on.
      }
    }
  }
  throw new Error("Chromium is missing: install it, or name its program in the environment variable CHROMIUM");
}

function contextOptions({ dark, touch, reducedMotion, phone, viewport, locale }) {
  return {
    colorScheme: dark ? "dark" : "light",
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    locale: locale ?? "en-GB",
    viewport: viewport ?? (phone ? { width: 390, height: 844 } : { width: 1440, height: 900 }),
    ...(phone && { deviceScaleFactor: 3, isMobile: true }),
    hasTouch: Boolean(touch || phone),
  };
}

// Keeps account of what goes wrong in any page of the context, its workers included.
function watch(context, origin) {
  const seen = { errors: [], warnings: [], foreign: [] };
  context.on("console", (message) => {
    const { url, lineNumber } = message.location();
    const sentence = `${message.text()}${url ? ` (${url}:${lineNumber})` : ""}`;
    if (message.type() === "error") seen.errors.push(sentence);
    if (message.type() === "warning") seen.warnings.push(sentence);
  });
  context.on("weberror", (it) => seen.errors.push(`uncaught: ${it.error()?.stack ?? it.error()}`));
  context.on("page", (page) => page.on("crash", () => seen.errors.push("the page crashed")));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) seen.foreign.push(request.url());
  });
  return seen;
}

function demandNothing(seen) {
  if (seen.errors.length || seen.foreign.length) throw new Error("the page did not stay clean");
}

function faults({ errors, foreign }) {
  return [...errors.map((it) => `\nconsole: ${it}`), ...foreign.map((it) => `\nforeign request: ${it}`)].join("");
}

// Evaluated through the debugger, because the page's own policy rightly admits no such script.
async function axe(page, options = {}) {
  const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), options);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((it) => it.target.join(" ")).join(", ")}`);
}

function observeLongTasks() {
  const tasks = [];
  const keep = (entries) => tasks.push(...entries.map((it) => ({ start: it.startTime, duration: it.duration })));
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ type: "longtask", buffered: true });
  window.longTasksSoFar = () => {
    keep(observer.takeRecords());
    return tasks;
  };
}

async function within(seconds, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
