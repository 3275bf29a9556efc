// Measures the built page in Chromium. Each number is a line of JSON for `cargo xtask bench`, which has the table.

import { readFile } from "node:fs/promises";
import { launch } from "./harness.mjs";
import { serve } from "./server.mjs";

const LOADS = 7;
const ROUNDS = 5;
const INPUTS = 80;
const REST_MS = 500;

// The moments of a cold load, in ms since navigation: the page sets marks of these names.
const MARKS = [
  { mark: "tail-lab:started", name: "cold load to the program's start" },
  { mark: "tail-lab:first-percentiles", name: "cold load to first percentiles", under: 1000 },
];

const { url, stop } = await serve();
const browser = await launch();
await coldLoads();
await kernels();
await peers();
await exactCurves();
await inputs();
await queues();
await workers();
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

// The native benchmark runs the same links.
async function kernels() {
  const list = JSON.parse(await readFile(new URL("../../benches/kernels.json", import.meta.url), "utf8"));
  const page = await openPage("#fan-out&requests=1000");
  for (const { name, link, units, unit, wasm_at_least: at_least } of list) {
    const time = await best(page, (it) => window.wasmBindings.tail_lab_json(it), link);
    report({ name: `${name}, wasm`, value: units / time / 1e3, unit, at_least });
  }
  await page.context().close();
}

// Our one queue against the loop that one would write by hand (`benches/peer.js`), by turns, so that both meet the same
// machine.
async function peers() {
  const list = JSON.parse(await readFile(new URL("../../benches/kernels.json", import.meta.url), "utf8"));
  const { link, units } = list.find((it) => it.name === "replicas, one queue");
  const source = await readFile(new URL("../../benches/peer.js", import.meta.url), "utf8");
  const page = await openPage("#fan-out&requests=1000");
  await page.evaluate(`window.peer = ${source}; 0`);
  const load = 0.8;
  const best = [Infinity, Infinity];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const { own, loop, told } = await page.evaluate(([link, customers, load]) => {
      const start = performance.now();
      window.wasmBindings.tail_lab_json(link);
      const middle = performance.now();
      const told = window.peer(customers, load, 1);
      return { own: middle - start, loop: performance.now() - middle, told };
    }, [link, units, load]);
    // An M/M/1 queue, or no peer of ours: the mean response time and its p99 are known.
    const [mean, p99] = [1 / (1 - load), Math.log(100) / (1 - load)];
    if (Math.abs(told.mean / mean - 1) > 0.05 || Math.abs(told.p99 / p99 - 1) > 0.05) throw new Error(`the loop is off: ${JSON.stringify(told)}`);
    [own, loop].forEach((time, at) => { best[at] = Math.min(best[at], time); });
  }
  report({ name: "one queue, JavaScript", value: units / best[1] / 1e3, unit: "million customers/s" });
  report({ name: "one queue, wasm against JavaScript", value: best[1] / best[0], unit: "times", at_least: 4 });
  await page.context().close();
}

async function exactCurves() {
  const page = await openPage("#fan-out&requests=1000");
  for (const leaves of [1, 100, 2000, 10000]) {
    const time = await best(page, (it) => window.wasmBindings.tail_lab_exact(it), `fan-out&fan_out=${leaves}`);
    report({ name: `exact curves, ${leaves} leaves, wasm`, value: time, unit: "ms", under: 2 });
  }
  await page.context().close();
}

// A slider moved while the simulation runs at full: until the readout has changed and a frame is on its way, and
// how long the page was ever busy.
async function inputs() {
  const page = await openPage("#fan-out&requests=100000000");
  await page.evaluate(() => {
    window.busy = [];
    new PerformanceObserver((list) => window.busy.push(...list.getEntries().map((it) => it.duration))).observe({ type: "longtask" });
  });
  const times = await page.evaluate(async (count) => {
    const slider = document.getElementById("fan_out");
    const readout = document.querySelector(".readout");
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const times = [];
    for (let at = 0; at < count; at += 1) {
      const changed = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(readout, { subtree: true, childList: true, characterData: true });
      });
      const start = performance.now();
      slider.value = String(20 + ((at * 37) % 61));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await changed;
      await frame();
      times.push(performance.now() - start);
      await frame();
    }
    return times;
  }, INPUTS);
  const sorted = times.toSorted((a, b) => a - b);
  report({ name: "input to changed percentile, median", value: median(times), unit: "ms", under: 33 });
  report({ name: "input to changed percentile, p95", value: sorted[Math.floor(0.95 * sorted.length)], unit: "ms", under: 60 });
  const busy = await page.evaluate(() => window.busy);
  report({ name: "tasks over 50 ms while a slider moves", value: busy.length, unit: "", under: 1 });
  await page.context().close();
}

// After a change of a scenario with queues: until the first simulated percentile is there, and until the p99 is known
// within 5 %. The workers are at it all the time; the page has drawn what came before.
async function queues() {
  const page = await openPage("#replicas&policy=tied&requests=20000000");
  const rounds = [];
  // Many, since in the first ones the browser still compiles.
  for (let round = 0; round < 5 * ROUNDS; round += 1) {
    rounds.push(await page.evaluate(async (load) => {
      const state = () => JSON.parse(window.wasmBindings.tail_lab_state());
      const p99 = (it) => it.measures.find((measure) => measure.name === "request.p99");
      const before = state().job;
      const slider = document.getElementById("load");
      const start = performance.now();
      slider.value = String(load);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      slider.dispatchEvent(new Event("change", { bubbles: true }));
      const times = {};
      while (!times.close && performance.now() - start < 10000) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        const now = state();
        if (now.job === before || now.stale || !now.requests) continue;
        times.first ??= performance.now() - start;
        const { simulated, low, high } = p99(now);
        if (simulated && (high - low) / 2 <= 0.05 * simulated) times.close = performance.now() - start;
      }
      return times;
    }, round % 2 ? 35 : 40));
    await page.waitForTimeout(REST_MS);
  }
  const of = (key) => median(rounds.map((it) => it[key] ?? 10000));
  report({ name: "replicas: change to first simulated percentiles, median", value: of("first"), unit: "ms", under: 50 });
  report({ name: "replicas: change to a p99 within 5 %, median", value: of("close"), unit: "ms", under: 1000 });
  await page.context().close();
}

// The page's own thread takes part of a core, so two workers on two cores cannot quite do double; to look takes a
// millisecond of it, and is not done more often than needed.
async function workers() {
  const seconds = [Infinity, Infinity];
  // By turns, and the best of each: whatever else the machine does only adds.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const at of [0, 1]) seconds[at] = Math.min(seconds[at], await finished(at + 1));
  }
  report({ name: "two workers against one", value: seconds[0] / seconds[1], unit: "times", at_least: 1.8 });
}

// How many seconds so many workers take for one study.
async function finished(workers) {
  const page = await openPage(`?workers=${workers}#fan-out&requests=8000000`);
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state())?.finished, null, { timeout: 60000 });
  const seconds = await page.evaluate(async () => {
    const state = () => JSON.parse(window.wasmBindings.tail_lab_state());
    const before = state().job;
    window.wasmBindings.tail_lab_set_workers(state().workers);
    const start = performance.now();
    for (let now; now === undefined || now.job === before || !now.finished; now = state()) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return (performance.now() - start) / 1e3;
  });
  await page.context().close();
  return seconds;
}

async function openPage(link) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url + link);
  await page.waitForFunction(() => window.wasmBindings && JSON.parse(window.wasmBindings.tail_lab_state())?.requests > 0);
  return page;
}

// The shortest of several times, in ms: whatever else the machine does only adds.
async function best(page, work, argument) {
  const times = [];
  // As a text, since functions do not travel.
  const timed = `(() => { const start = performance.now(); (${work})(${JSON.stringify(argument)}); return performance.now() - start; })()`;
  for (let round = 0; round < ROUNDS; round += 1) times.push(await page.evaluate(timed));
  return Math.min(...times);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(measure) {
  console.log(JSON.stringify(measure));
}
