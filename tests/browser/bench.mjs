// Measures the built page in Chromium. Each number is a line of JSON for `cargo xtask bench`, which has the table.

import { launch } from "./harness.mjs";
import { serve } from "./server.mjs";

const LOADS = 7;

// The moments of a cold load, in ms since navigation: the page sets marks of these names.
const MARKS = [
  { mark: "tail-lab:started", name: "cold load to the program's start" },
  { mark: "tail-lab:first-percentiles", name: "cold load to first percentiles", under: 1000 },
];

const { url, stop } = await serve();
const browser = await launch();
await coldLoads();
await browser.close();
await stop();

async function coldLoads() {
  const loads = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await coldLoad());
  report({ name: "cold load to first paint, median", value: median(loads.map((it) => it.paint)), unit: "ms" });
  for (const { mark, name, under } of MARKS) {
    const times = loads.map((it) => it.marks[mark]).filter((it) => it !== undefined);
    if (times.length < LOADS) console.log(`${name}: not measured, the page does not set the mark ${mark}`);
    else report({ name: `${name}, median`, value: median(times), unit: "ms", under });
  }
}

// A context of its own has empty caches.
async function coldLoad() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  const last = MARKS.at(-1).mark;
  await page.waitForFunction((it) => performance.getEntriesByName(it).length, last, { timeout: 5000 }).catch(() => {});
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    marks: Object.fromEntries(performance.getEntriesByType("mark").map((it) => [it.name, it.startTime])),
  }));
  await context.close();
  return times;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(measure) {
  console.log(JSON.stringify(measure));
}
