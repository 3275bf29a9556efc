// The page under a person's hands: sliders, boxes, presets, links, workers, figures.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "./harness.mjs";

// Few enough requests that a study is over in a moment.
const QUICK = "#fan-out&requests=20000";

const state = (page) => page.evaluate(() => JSON.parse(window.wasmBindings.tail_lab_state()));
const finished = (page) => page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state())?.finished);
const link = (page) => decodeURIComponent(new URL(page.url()).hash.slice(1));
const slider = (page, name) => page.getByRole("slider", { name, exact: true });
const box = (page, name) => page.getByRole("textbox", { name: `${name}, number`, exact: true });
const readout = (page) => page.locator(".readout dl").innerText();

// Waits until the address says it.
const addressed = (page, link) => page.waitForFunction((it) => location.hash === it, `#${link}`);

for (const workers of [1, 3]) {
  test(`${workers} workers find the digits of one run in the page`, async ({ page, open }) => {
    await open(`?workers=${workers}${QUICK}&hedge=after&hedge_ms=20&outlier=lomax`);
    await finished(page);
    const { link, measures } = await state(page);
    const alone = await page.evaluate((it) => JSON.parse(window.wasmBindings.tail_lab_json(it)), link);
    const digits = (list) => list.map(({ name, simulated, low, high, exact }) => ({ name, simulated, low, high, exact }));
    assert.deepEqual(digits(measures), digits(alone.measures));
    assert.equal((await state(page)).workers, workers);
    assert.match(await page.locator(".progress").innerText(), /^20,000 requests · p99 /);
  });
}

test("exact values stand before anything is simulated, and simulated ones come soon", async ({ page, open }) => {
  await page.addInitScript(() => {
    window.said = [];
    const read = () => {
      const text = document.querySelector(".readout dl")?.innerText;
      if (text && text !== window.said.at(-1)) window.said.push(text);
    };
    new MutationObserver(read).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await open("#fan-out&fan_out=200");
  await page.waitForFunction(() => window.said.at(-1)?.includes("±"));
  const [first] = await page.evaluate(() => window.said);
  assert.match(first, /over 1\u202fs\n86\.6\u202f%\nexact, simulating/);
  assert.doesNotMatch(first, /±/);
});

test("a slider dragged by the mouse moves the numbers, and is one step back", async ({ page, open }) => {
  await open(QUICK);
  const before = await readout(page);
  const { x, y, width, height } = await slider(page, "Leaves it waits for").boundingBox();
  const entries = await page.evaluate(() => history.length);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1) await page.mouse.move(x + width * (0.5 + step / 50), y + height / 2);
  await page.mouse.up();
  await page.waitForFunction((it) => document.querySelector(".readout dl").innerText !== it, before);
  await page.waitForFunction(() => location.hash.includes("fan_out="));
  assert.equal(await page.evaluate(() => history.length), entries + 1);
  const { link: dragged } = await state(page);
  await addressed(page, dragged);
  await page.goBack();
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).link === "fan-out&requests=20000");
  await page.goForward();
  await page.waitForFunction((it) => JSON.parse(window.wasmBindings.tail_lab_state()).link === it, dragged);
});

test("a slider obeys the keys", async ({ page, open }) => {
  await open(QUICK);
  const leaves = slider(page, "Leaves it waits for");
  await leaves.focus();
  for (const [key, value] of [["End", "10,000"], ["ArrowRight", "10,000"], ["Home", "1"], ["ArrowUp", "2"], ["ArrowLeft", "1"]]) {
    await leaves.press(key);
    await page.waitForFunction((it) => document.getElementById("fan_out").getAttribute("aria-valuetext") === it, value);
  }
  await leaves.press("PageUp");
  assert.ok(Number(await leaves.getAttribute("aria-valuetext")) > 1);
});

test("a number box takes what people write, and says what it cannot take", async ({ page, open }) => {
  await open(QUICK);
  const slow = box(page, "Slow answers");
  for (const [text, expected] of [["1/50", "outlier_rate=0.02"], ["5%", "outlier_rate=0.05"], ["1e-3", "outlier_rate=0.001"]]) {
    await slow.fill(text);
    await slow.press("Enter");
    await page.waitForFunction((it) => location.hash.includes(it), expected);
  }
  const delay = box(page, "Typical answer");
  await delay.fill("20 s");
  await delay.press("Enter");
  await page.getByText(/Brought to 10,000/).waitFor();
  await delay.fill("soon");
  await delay.press("Enter");
  await page.getByText("“soon” is not a number").waitFor();
  assert.equal(await delay.getAttribute("aria-invalid"), "true");
  assert.match(link(page), /typical_ms=10000/);
  await delay.press("Escape");
  assert.equal(await delay.inputValue(), "10,000");
  assert.equal(await delay.getAttribute("aria-invalid"), "false");
});

test("a control waits for its condition in its place", async ({ page, open }) => {
  await open(QUICK);
  const percentile = slider(page, "Percentile");
  assert.equal(await percentile.isDisabled(), true);
  await page.getByText("when a hedge is sent at a percentile").waitFor();
  const before = await percentile.evaluate((it) => it.offsetTop);
  await page.getByRole("radio", { name: "Off", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => location.hash.includes("hedge=percentile"));
  assert.equal(await percentile.isDisabled(), false);
  assert.equal(await percentile.evaluate((it) => it.offsetTop), before);
});

test("a change can be undone, alone and with all others", async ({ page, open }) => {
  await open("#fan-out&fan_out=300&spread=0.5");
  await page.getByRole("button", { name: "Reset Spread" }).click();
  await addressed(page, "fan-out&fan_out=300");
  await page.getByRole("button", { name: "Reset all" }).click();
  await addressed(page, "fan-out");
  await page.getByText("All at their defaults").waitFor();
});

test("help opens in its place", async ({ page, open }) => {
  await open(QUICK);
  await page.getByRole("button", { name: "What is Spread?" }).click();
  await page.getByText("the standard deviation of their logarithm").waitFor();
});

test("presets and words to press make their changes", async ({ page, open }) => {
  await open(QUICK);
  await page.getByRole("button", { name: "Quorum writes" }).click();
  await addressed(page, "fan-out&fan_out=3&wait_for=0.6");
  assert.equal(await page.getByRole("button", { name: "Quorum writes" }).getAttribute("aria-pressed"), "true");
  await page.getByRole("rowheader", { name: "2 of 3, over 1 s" }).waitFor();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.waitForFunction(() => location.hash.includes("hedge=after"));
  assert.equal(await page.getByRole("button", { name: "Quorum writes" }).getAttribute("aria-pressed"), "false");
});

test("rows are simulated when the study is done", { seconds: 60 }, async ({ page, open }) => {
  await open("#fan-out&requests=1000");
  await page.getByRole("button", { name: "Quorum writes" }).click();
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).rowsFinished > 0, null, { timeout: 50000 });
  await page.getByText("within ±").first().waitFor();
});

test("a lost worker is said, and the page goes on", { faults: true }, async ({ page, open, seen }) => {
  await open("?workers=2#fan-out&fan_out=128&requests=100000000");
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).requests > 0);
  await page.evaluate(() => window.wasmBindings.tail_lab_kill_worker(1));
  await page.getByText("The simulation stopped").waitFor();
  await page.getByText("The exact curves still hold.").waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByText("The simulation stopped").waitFor({ state: "detached" });
  await page.evaluate(() => { location.hash = "#fan-out&requests=20000"; });
  await finished(page);
  assert.equal((await state(page)).workers, 2);
  assert.deepEqual(seen.errors, []);
});

test("nothing is asked of the network once the page stands", async ({ page, open }) => {
  await open("?workers=2#fan-out&requests=100000000");
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).requests > 0);
  const asked = [];
  page.on("request", (it) => asked.push(it.url()));
  await page.evaluate(() => window.wasmBindings.tail_lab_kill_worker(0));
  await page.getByRole("button", { name: "Run again" }).click();
  await page.locator(".place").scrollIntoViewIfNeeded();
  await page.getByRole("heading", { name: "One request" }).waitFor();
  await page.evaluate(() => window.wasmBindings.tail_lab_set_workers(3));
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).requests > 0);
  assert.deepEqual(asked.filter((it) => !it.startsWith("blob:")), []);
});

test("the simulation pauses and goes on", async ({ page, open }) => {
  await open("#fan-out&requests=100000000");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(400);
  const { requests } = await state(page);
  await page.waitForTimeout(600);
  assert.equal((await state(page)).requests, requests);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.waitForFunction((it) => JSON.parse(window.wasmBindings.tail_lab_state()).requests > it, requests);
});

test("every scenario opens from the menu and shows numbers and figures", { seconds: 120 }, async ({ page, open, axe }) => {
  await open();
  const count = await page.getByRole("navigation", { name: "Scenarios" }).getByRole("link").count();
  for (let at = 0; at < count; at += 1) {
    const link = page.getByRole("navigation", { name: "Scenarios" }).getByRole("link").nth(at);
    const title = await link.innerText();
    await link.click();
    await page.waitForFunction((it) => document.title.startsWith(it), title);
    await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).requests > 0);
    await page.waitForFunction(() => document.querySelector(".readout").innerText.includes("±"));
    assert.ok((await page.getByRole("img").count()) > 0, title);
    assert.deepEqual(await axe(), [], title);
  }
});

test("a hostile link is text and nothing else", async ({ page, open }) => {
  await open("#fan-out&<img src=x onerror=alert(1)>=1&fan_out=%00&hedge=<b>no</b>&" + "a=1&".repeat(5000));
  await page.getByText("is not a setting of Fan-out").first().waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await page.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await page.locator(".quiet").count(), 0);
});

test("a chart is read by the keys and by the pointer", async ({ page, open }) => {
  await open(QUICK);
  await finished(page);
  const chart = page.getByRole("img").first();
  await chart.scrollIntoViewIfNeeded();
  await page.waitForTimeout(200);
  const plain = await chart.screenshot();
  await chart.focus();
  await chart.press("ArrowRight");
  await page.waitForFunction(() => /\d/.test(document.querySelector(".plot [aria-live]").innerText));
  await page.waitForTimeout(100);
  assert.notDeepEqual(await chart.screenshot(), plain);
  await chart.press("Escape");
  const { x, y, width, height } = await chart.boundingBox();
  await page.mouse.move(x + width / 3, y + height / 2);
  await page.waitForTimeout(100);
  assert.notDeepEqual(await chart.screenshot(), plain);
});

test("the handle on a chart moves its parameter", async ({ page, open }) => {
  await open(QUICK);
  const chart = page.getByRole("img").first();
  await chart.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  const { x, y, width, height } = await chart.boundingBox();
  const found = async () => {
    for (let up = 30; up < 80; up += 12) {
      for (let along = 0; along < width; along += 16) {
        await page.mouse.move(x + along, y + height - up);
        if (await chart.evaluate((it) => it.classList.contains("takes"))) return [x + along, y + height - up];
      }
    }
    return assert.fail("there is no handle");
  };
  const [left, top] = await found();
  await page.mouse.down();
  await page.mouse.move(left - 60, top, { steps: 6 });
  await page.mouse.up();
  await page.waitForFunction(() => /fan_out=\d+/.test(location.hash));
  const [, leaves] = link(page).match(/fan_out=(\d+)/);
  assert.ok(Number(leaves) < 100, leaves);
});

test("a figure gives its table and its files", async ({ page, open }) => {
  await open(QUICK);
  await finished(page);
  const figure = page.locator("figure").first();
  await figure.getByRole("button", { name: /^Table/ }).click();
  await figure.getByRole("table").waitFor();
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name }).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const csv = await saved(/^CSV/);
  assert.match(csv.name, /^fan-out-.*\.csv$/);
  assert.ok(csv.bytes.toString().split("\n").length > 2);
  const svg = await saved(/^SVG/);
  assert.match(svg.bytes.toString(), /^<svg [^]*<\/svg>\s*$/);
  const heading = await figure.getByRole("heading").innerText();
  assert.ok(svg.bytes.toString().includes(`>\n${heading}\n</text>`), "it tells what it shows");
  const png = await saved(/^PNG/);
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  assert.equal(png.bytes.readUInt32BE(16), 2 * (1040 + 48), "with a margin, and two pixels to one");
});

test("the study is saved as JSON and as CSV", async ({ page, open }) => {
  await open(QUICK);
  await finished(page);
  for (const name of ["JSON", "CSV"]) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("footer").getByRole("button", { name }).click(),
    ]);
    const text = (await readFile(await download.path())).toString();
    assert.match(text, /fan-out&requests=20000/);
    if (name === "JSON") assert.equal(JSON.parse(text).requests, 20000);
  }
});

test("a request is shown call by call, and played", async ({ page, open }) => {
  await open(QUICK);
  await page.waitForTimeout(500);
  assert.equal(await page.getByRole("heading", { name: "One request" }).count(), 0, "not before anybody looks");
  await page.locator(".place").scrollIntoViewIfNeeded();
  await page.getByRole("heading", { name: "One request" }).waitFor();
  await page.getByText("The p99", { exact: true }).click();
  await page.waitForFunction(() => !document.querySelector(".plot.stale"));
  const strip = page.getByRole("img").last();
  await strip.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  const last = await strip.screenshot();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.waitForTimeout(500);
  assert.notDeepEqual(await strip.screenshot(), last);
});

test("the theme is kept for the next visit", async ({ page, open }) => {
  await open();
  const theme = page.getByRole("button", { name: /^Colours/ });
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--paper").trim());
  assert.equal(await paper(), "#ffffff");
  await theme.click();
  await theme.click();
  await page.getByRole("button", { name: "Colours: dark" }).waitFor();
  assert.equal(await paper(), "#101418");
  await page.reload();
  await page.getByRole("button", { name: "Colours: dark" }).waitFor();
  assert.equal(await paper(), "#101418");
});

test("the link is copied, or shown where it cannot be", async ({ page, context, open, url }) => {
  await open(QUICK);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Link copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), url + QUICK);
  await context.clearPermissions();
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); });
  await page.getByRole("button", { name: /^(Share|Link copied)$/ }).click();
  assert.equal(await page.getByLabel("Copy this link:").inputValue(), url + QUICK);
});

test("on a phone controls are a sheet and scenarios a menu", { phone: true }, async ({ page, open, axe }) => {
  await open(QUICK);
  await page.getByRole("button", { name: "All controls" }).tap();
  const spread = slider(page, "Spread");
  await spread.scrollIntoViewIfNeeded();
  assert.ok(await spread.isVisible());
  assert.deepEqual(await axe(), []);
  await page.getByRole("button", { name: "Done" }).tap();
  assert.equal(await spread.isVisible(), false);
  await page.getByRole("button", { name: /Choose a scenario/ }).tap();
  assert.ok(await page.getByRole("link", { name: "Fan-out", exact: true }).isVisible());
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(sideways, 0);
});

for (const [name, options] of [["light", {}], ["dark", { dark: true }], ["phone", { phone: true }]]) {
  test(`everything that can be opened is accessible: ${name}`, options, async ({ page, open, axe }) => {
    await open(`${QUICK}&fan_out=1e9`);
    await finished(page);
    for (const button of await page.getByRole("button", { name: /^(Table|What is|.*seed)/ }).all()) {
      if (await button.isVisible()) await button.click();
    }
    assert.deepEqual(await axe(), []);
  });
}

test("dragging at full simulation makes no long task", { seconds: 90 }, async ({ page, open, longTasks }) => {
  await open();
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).requests > 0);
  await page.waitForTimeout(1000);
  const { x, y, width, height } = await slider(page, "Leaves it waits for").boundingBox();
  const rounds = [];
  // A machine that is busy with other things stretches some tasks in some rounds; one that is too long by itself is
  // so in each.
  for (let round = 0; round < 3; round += 1) {
    const before = (await longTasks()).length;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    for (let step = 0; step < 90; step += 1) {
      await page.mouse.move(x + width * (0.5 + 0.3 * Math.sin(step / 10)), y + height / 2);
      await page.waitForTimeout(12);
    }
    await page.mouse.up();
    const tasks = (await longTasks()).slice(before).map((it) => Math.round(it.duration));
    if (tasks.filter((it) => it > 100).length <= 2) return;
    rounds.push(tasks.join(", "));
    await page.waitForTimeout(2000);
  }
  assert.fail(`long tasks: ${rounds.join("; ")}`);
});

// Filmed in a moment, and quick to be simulated.
const FILM = "#replicas&requests=2000&warm_up=100";
const filmWords = (page) => page.locator(".film-words").innerText();

async function showFilm(page, open, link = FILM, name = "The servers at work") {
  await open(link);
  await page.locator(".place").scrollIntoViewIfNeeded();
  const film = page.getByRole("figure").filter({ has: page.getByRole("heading", { name }) });
  await film.waitFor();
  await film.locator("canvas").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => !document.querySelector(".plot.stale"));
  return film;
}

test("the film of the servers plays, and rests where nobody sees it", async ({ page, open }) => {
  const film = await showFilm(page, open);
  const start = await filmWords(page);
  assert.match(start, /^After 0.+at the servers/);
  await page.waitForTimeout(600);
  assert.equal(await filmWords(page), start, "it plays unasked");
  const first = await film.locator("canvas").screenshot();
  await film.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction((it) => document.querySelector(".film-words").innerText !== it, start);
  assert.notDeepEqual(await film.locator("canvas").screenshot(), first);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(700);
  const away = await filmWords(page);
  await page.waitForTimeout(1000);
  assert.equal(await filmWords(page), away, "it plays off screen");
  await film.locator("canvas").scrollIntoViewIfNeeded();
  await page.waitForFunction((it) => document.querySelector(".film-words").innerText !== it, away);
  await film.getByRole("button", { name: "Pause" }).click();
  const paused = await filmWords(page);
  await page.waitForTimeout(600);
  assert.equal(await filmWords(page), paused);
  await film.getByRole("button", { name: "Restart" }).click();
  assert.equal(await filmWords(page), start);
});

test("the film goes step by step, by keys and without motion", { reducedMotion: true }, async ({ page, open, axe }) => {
  const film = await showFilm(page, open);
  assert.equal(await film.getByRole("button", { name: "Play" }).count(), 0);
  const step = film.getByRole("button", { name: "Step" });
  await step.focus();
  let words = await filmWords(page);
  const seen = new Set([words]);
  for (let steps = 0; steps < 5; steps += 1) {
    await page.keyboard.press("Enter");
    await page.waitForFunction((it) => document.querySelector(".film-words").innerText !== it, words);
    words = await filmWords(page);
    assert.match(words, /Server [\d,]+: a job /);
    assert.equal(await film.locator(".sr[aria-live]").first().innerText(), words);
    seen.add(words);
  }
  assert.equal(seen.size, 6);
  assert.deepEqual(await axe(), []);
});

test("the film has a speed", { phone: true, dark: true }, async ({ page, open, axe }) => {
  const film = await showFilm(page, open);
  const speed = film.getByRole("slider", { name: "Speed" });
  const before = await speed.getAttribute("aria-valuetext");
  assert.match(before, /of real time$/);
  await speed.focus();
  for (const key of ["Home", "End"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    assert.notEqual(await speed.getAttribute("aria-valuetext"), before);
  }
  assert.deepEqual(await axe(), []);
});

// Small enough to be over in a moment.
const MESSAGES = "#kvs-sessions&balancer=random&failure=crash&requests=1000&clients=10&requests_each=10";

for (const [name, options] of [["light", {}], ["dark, phone", { dark: true, phone: true }]]) {
  test(`messages between machines play, pause and step: ${name}`, { ...options, seconds: 60 }, async ({ page, open, axe }) => {
    const film = await showFilm(page, open, MESSAGES, "Requests on their way");
    const start = await filmWords(page);
    assert.match(start, /^After 0.+: messages of requests under way: \d+; copies between stores: \d+/);
    await page.waitForTimeout(600);
    assert.equal(await filmWords(page), start, "it plays unasked");
    const first = await film.locator("canvas").screenshot();
    await film.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction((it) => document.querySelector(".film-words").innerText !== it, start);
    assert.notDeepEqual(await film.locator("canvas").screenshot(), first);
    await film.getByRole("button", { name: "Pause" }).click();
    let words = await filmWords(page);
    await page.waitForTimeout(600);
    assert.equal(await filmWords(page), words);
    await film.getByRole("button", { name: "Step" }).focus();
    for (let steps = 0; steps < 3; steps += 1) {
      await page.keyboard.press("Enter");
      await page.waitForFunction((it) => document.querySelector(".film-words").innerText !== it, words);
      words = await filmWords(page);
      assert.match(words, /(Sent from|Arrived at|Lost between|Crashed:)/);
      assert.equal(await film.locator(".sr[aria-live]").first().innerText(), words);
    }
    await film.getByRole("button", { name: /^Table/ }).click();
    assert.ok((await film.getByRole("row").count()) > 100);
    assert.ok(await film.getByText("Crashed: node 4.").first().isVisible());
    assert.deepEqual(await axe(), []);
  });
}

test("without motion there is a still picture of messages, and steps", { reducedMotion: true }, async ({ page, open }) => {
  const film = await showFilm(page, open, MESSAGES, "Requests on their way");
  assert.equal(await film.getByRole("button", { name: "Play" }).count(), 0);
  const before = await film.locator("canvas").screenshot();
  await film.getByRole("button", { name: "Step" }).click();
  await page.waitForFunction(() => /(Sent from|Arrived at)/.test(document.querySelector(".film-words").innerText));
  assert.notDeepEqual(await film.locator("canvas").screenshot(), before);
});
