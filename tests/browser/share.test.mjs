// What leaves the page: files, a frame in another page, paper.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { test } from "./harness.mjs";
import { serve } from "./server.mjs";

const QUICK = "#fan-out&requests=20000";
const finished = (page) => page.waitForFunction(() => JSON.parse(window.wasmBindings?.tail_lab_state() ?? "null")?.finished);

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("every figure is saved as CSV, SVG and PNG", { seconds: 60 }, async ({ page, open }) => {
  await open(QUICK);
  const figures = page.locator("figure", { has: page.locator("canvas") });
  const ready = async () => {
    await finished(page);
    await page.locator(".place").scrollIntoViewIfNeeded();
    await page.getByRole("heading", { name: "One request" }).waitFor();
  };
  await ready();
  const count = await figures.count();
  assert.ok(count >= 4, `${count} figures`);
  const names = new Set();
  for (let at = 0; at < count; at += 1) {
    // After ten files of one page Chromium asks its user whether he wants more.
    await page.reload();
    await page.waitForFunction(() => window.wasmBindings);
    await ready();
    const figure = figures.nth(at);
    const csv = await saved(page, figure.getByRole("button", { name: /^CSV/ }));
    const lines = csv.bytes.toString().trim().split("\n");
    assert.ok(lines.length > 1 && lines[0].includes(","), csv.name);
    const svg = await saved(page, figure.getByRole("button", { name: /^SVG/ }));
    assert.match(svg.bytes.toString(), /^<svg [^]*<text [^]*<\/svg>\s*$/, svg.name);
    const png = await saved(page, figure.getByRole("button", { name: /^PNG/ }));
    const [, width] = svg.bytes.toString().match(/width="(\d+)"/);
    assert.equal(png.bytes.readUInt32BE(16), 2 * Number(width), png.name);
    for (const it of [csv, svg, png]) names.add(it.name);
  }
  assert.equal(names.size, 3 * count, "each has a name of its own");
});

test("a saved study opens again, and any other file gives a sentence", async ({ page, open }) => {
  await open(`${QUICK}&fan_out=7&hedge=after&seed=3`);
  await finished(page);
  const json = await saved(page, page.locator("footer").getByRole("button", { name: "JSON", exact: true }));
  await page.evaluate(() => { location.hash = "#replicas"; });
  await page.waitForFunction(() => document.title.startsWith("Replicas"));
  const choose = (name, text) => page.getByLabel("Open a saved study").setInputFiles({
    name, mimeType: "application/json", buffer: Buffer.from(text),
  });
  const said = page.locator("footer [role=status]");
  for (const text of ["", "{", "[]", "null", "\u0000\u0001", '{"link": 7}', '{"link": ""}', JSON.stringify({ link: "x".repeat(20000) })]) {
    await choose("odd.json", text);
    await page.waitForFunction(() => document.querySelector("footer [role=status]").innerText.includes("holds no saved study"));
    await choose("large.json", " ".repeat(1_000_001));
    await page.waitForFunction(() => document.querySelector("footer [role=status]").innerText.includes("is too large"));
  }
  assert.match(await page.title(), /^Replicas/);
  await choose(json.name, json.bytes.toString());
  await page.waitForFunction(() => document.title.startsWith("Fan-out"));
  assert.equal(new URL(page.url()).hash, "#fan-out&fan_out=7&hedge=after&requests=20000&seed=3");
  assert.equal(await said.innerText(), "");
  await open(`${QUICK}&fan_out=7&a.fan_out=5`);
  await finished(page);
  const compared = await saved(page, page.locator("footer").getByRole("button", { name: "JSON", exact: true }));
  await open(`${QUICK}&fan_out=7`);
  await choose(compared.name, compared.bytes.toString());
  await page.waitForFunction(() => location.hash.includes("a.fan_out=5"));
  await choose("hostile.json", JSON.stringify({ link: "fan-out&<img src=x onerror=alert(1)>=1&fan_out=1e99" }));
  await page.getByText("is not a setting of Fan-out").waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes("fan_out=7"));
});

// A page on another host with this in it, below something to fill in and above something to press.
async function hosted(code, page) {
  const host = await serve();
  const html = `<!doctype html><link rel="icon" href="data:,"><title>A page of somebody's own</title><style>body { margin: 24px; font: 16px sans-serif; width: 720px }</style>
    <p><input id="before"></p>${code}<p><button id="after">After</button></p><div style="height: 3000px"></div>`;
  host.files.set("host.html", Buffer.from(html));
  await page.goto(`${host.url}host.html`);
  return host;
}

async function embedded(page) {
  const element = await page.waitForSelector("iframe");
  const frame = await element.contentFrame();
  await frame.waitForFunction(() => window.wasmBindings);
  await frame.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state())?.finished);
  return frame;
}

async function code(page, open, link) {
  await open(link);
  await page.getByRole("button", { name: "On a page of your own" }).click();
  await page.getByRole("checkbox", { name: /^Typical answer/ }).uncheck();
  await page.getByRole("checkbox", { name: /^Slow answers/ }).check();
  return measured(page);
}

// The code, once it has been measured and stays as it is.
async function measured(page) {
  const area = page.getByLabel("Code for your page");
  await page.waitForFunction(() => document.querySelector("#embed-code").getAttribute("aria-busy") === "false");
  let code = "";
  for (let same = 0; same < 3; same += 1) {
    const now = await area.inputValue();
    if (now !== code) [code, same] = [now, 0];
    await page.waitForTimeout(250);
  }
  return code;
}

for (const [name, options] of [["light", {}], ["dark", { dark: true }]]) {
  test(`works in a frame on another host: ${name}`, { faults: true, seconds: 60, ...options }, async ({ page, open, seen, url, axe, screenshot }) => {
    const snippet = await code(page, open, QUICK);
    assert.deepEqual(await axe(), []);
    assert.match(snippet, /^<iframe src="[^"]*&amp;hide=[^"]*&amp;embed=on" /);
    const host = await hosted(snippet, page);
    const frame = await embedded(page);
    await screenshot(`embed-${name}`);
    assert.deepEqual(await frame.getByRole("slider").evaluateAll((all) => all.map((it) => it.labels[0].textContent)), ["Leaves it waits for", "Slow answers"]);
    assert.match(await frame.locator("h1").innerText(), /take over/);
    assert.equal(await frame.getByRole("img").count(), 1);
    assert.equal(await frame.locator("header, nav, aside").count(), 0);
    assert.equal(await frame.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0, "it needs no scrolling");
    const before = await page.evaluate(() => [document.activeElement === document.body, scrollY, history.length]);
    assert.deepEqual(before.slice(0, 2), [true, 0], "it takes neither the focus nor the scroll");
    await page.focus("#before");
    for (let at = 0; at < 4; at += 1) {
      const slider = frame.getByRole("slider").first();
      await slider.focus();
      await slider.press("ArrowRight");
      await page.waitForTimeout(400);
    }
    await frame.waitForFunction(() => /fan_out=\d+/.test(location.hash) && location.hash.includes("embed=on"));
    assert.equal(await page.evaluate(() => history.length), before[2], "the host's history stays as it was");
    const whole = await frame.getByRole("link", { name: "Open in Tail Lab" }).getAttribute("href");
    assert.match(whole, /#fan-out&fan_out=1\d\d&requests=20000$/);
    assert.ok(whole.startsWith(url));
    // By keys into it, through it and out of it.
    await page.focus("#before");
    let steps = 0;
    while (await page.evaluate(() => document.activeElement.id) !== "after" && steps < 30) {
      await page.keyboard.press("Tab");
      steps += 1;
    }
    assert.ok(5 < steps && steps < 20, `${steps} steps`);
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, 400);
    await page.waitForFunction(() => scrollY > 200);
    assert.deepEqual(seen.errors, []);
    await host.stop();
  });
}

for (const [link, more] of [[QUICK, 0], [QUICK, 7], ["#replicas&requests=20000", 3], ["#storage", 1]]) {
  test(`a frame is as high as what stands in it: ${link} and ${more} more controls`, { faults: true, seconds: 120 }, async ({ page, context, open, seen, screenshot }) => {
    await open(link);
    await finished(page);
    await page.getByRole("button", { name: "On a page of your own" }).click();
    const boxes = page.locator(".embed-maker fieldset input:not(:checked)");
    for (let at = 0; at < more; at += 1) await boxes.nth(at).check();
    const snippet = await measured(page);
    const [, src] = /src="([^"]*)"/.exec(snippet);
    const [, wide, narrow] = /height: clamp\((\d+)px, .*, (\d+)px\)/.exec(snippet).map(Number);
    assert.match(snippet, new RegExp(` height="${wide}"`));
    assert.ok(wide <= narrow, snippet);
    for (const width of [320, 358, 398, 600, 640, 720, 960, 1200]) {
      const host = await context.newPage();
      await host.setViewportSize({ width, height: width < 500 ? narrow : wide });
      await host.goto(src.replaceAll("&amp;", "&"));
      await finished(host);
      const [over, below, chart] = await host.evaluate(() => {
        const foot = document.querySelector("footer").getBoundingClientRect();
        const canvas = document.querySelector("canvas").getBoundingClientRect();
        return [document.documentElement.scrollHeight - innerHeight, innerHeight - foot.bottom, canvas.height];
      });
      assert.ok(over <= 0, `at ${width}: ${over} px must be scrolled`);
      assert.ok(0 <= below && below <= 20, `at ${width}: ${below} px below the last line`);
      assert.ok(299 <= chart && chart <= 470, `at ${width}: the chart is ${chart} px high`);
      await host.close();
    }
    if (more === 3) await screenshot("embed-code");
    // Not on a page of ours, whose policy admits no style in the text.
    const host = await hosted(snippet, page);
    for (const [width, height] of [[1440, wide], [640, wide], [390, narrow]]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal((await page.locator("iframe").boundingBox()).height, height, `in a window of ${width} px`);
    }
    await host.stop();
    assert.deepEqual(seen.errors, []);
  });
}

test("a frame leaves nothing behind on its reader's machine", { faults: true }, async ({ page, url }) => {
  const host = await hosted(`<iframe src="${url}${QUICK}&embed=on" title="a study" width="100%" height="900"></iframe>`, page);
  const frame = await embedded(page);
  await page.waitForTimeout(500);
  assert.equal(await frame.evaluate(() => navigator.serviceWorker.getRegistrations().then((it) => it.length)), 0);
  assert.equal(await frame.evaluate(() => localStorage.length), 0);
  await host.stop();
});

test("a frame on a phone keeps to its width", { faults: true, phone: true }, async ({ page, url, axe, screenshot }) => {
  await page.goto(`${url}${QUICK}&hide=wait_for,canary&embed=on`);
  await finished(page);
  await screenshot("embed-phone");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  assert.deepEqual(await axe(), []);
  assert.equal(await page.getByRole("slider", { name: "Answer when" }).count(), 0);
});

test("a frame offers measured times where there are any", async ({ page, open }) => {
  await open(`${QUICK}&embed=on`);
  await page.getByRole("slider").first().waitFor();
  assert.equal(await page.getByRole("radio", { name: "Measured" }).count(), 0);
  await page.goto("about:blank");
  await open(`${QUICK}&typical=measured&data=1zogC13tEpkgBl3G5yG6-D39F4-DhuKs5HspH04Gs8BqjD&embed=on`);
  assert.equal(await page.getByRole("radio", { name: "Measured" }).isChecked(), true);
});

test("a link hides controls of the whole page too", async ({ page, open }) => {
  await open(`${QUICK}&hide=wait_for,canary`);
  assert.equal(await page.locator(".quiet").count(), 0, "and nobody complains of it");
  assert.equal(await page.getByRole("slider", { name: "Answer when" }).count(), 0);
  const slider = page.getByRole("slider", { name: "Leaves it waits for", exact: true });
  await slider.press("ArrowRight");
  await page.waitForFunction(() => /fan_out=\d+.*&hide=wait_for,canary$/.test(location.hash));
});

const pages = (pdf) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;

// What is drawn on paper stands one below another, within the sheet, and no chart is missing.
function misplaced() {
  const seen = (it) => it.getClientRects().length > 0;
  const parts = [...document.querySelectorAll("main > *, footer")].filter(seen).map((it) => it.getBoundingClientRect());
  const tables = [...document.querySelectorAll("main table")].filter(seen).map((it) => it.getBoundingClientRect());
  const charts = [...document.querySelectorAll("main figure canvas")].filter(seen).length;
  return {
    overlaps: parts.slice(1).filter((it, at) => it.top < parts[at].bottom - 1).length,
    wide: [...parts, ...tables].filter((it) => it.right > document.documentElement.clientWidth + 1).length,
    charts,
  };
}

test("every scenario prints on one sheet", { seconds: 150 }, async ({ page, open }) => {
  await open();
  const links = await page.locator(".scenarios a").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  assert.ok(links.length > 1);
  for (const link of [...links, "#replicas&a.policy=tied"]) {
    await page.goto("about:blank");
    await open(`${link}&requests=5000`);
    await finished(page);
    // Upright whichever way the printer has its paper, and on the shorter sheets of other countries too.
    assert.equal(pages(await page.pdf({ format: "A4" })), 1, link);
    assert.equal(pages(await page.pdf({ format: "Letter", landscape: true })), 1, `${link} on another sheet`);
    // A sheet's size, in CSS pixels, within its margins.
    await page.setViewportSize({ width: 703, height: 1032 });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    assert.deepEqual(await page.evaluate(misplaced), { overlaps: 0, wide: 0, charts: 3 }, link);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

test("what can be done on the page is not said on paper or in a file", async ({ page, open }) => {
  await open(`${QUICK}&sweep=fan_out:1..100:5`);
  await finished(page);
  const sweep = page.locator(".sweep figure");
  const hint = sweep.getByText("Click a point to go there.");
  assert.ok(await hint.isVisible());
  const svg = await saved(page, sweep.getByRole("button", { name: /^SVG/ }));
  assert.match(svg.bytes.toString(), /Latency of .* at each value of /);
  assert.doesNotMatch(svg.bytes.toString(), /Click/);
  await page.emulateMedia({ media: "print" });
  assert.ok(await sweep.getByText(/^Latency of .* at each value of /).isVisible());
  assert.equal(await hint.isVisible(), false);
});

test("prints on one page, on white, without controls", { dark: true, seconds: 60 }, async ({ page, open }) => {
  await open(`${QUICK}&fan_out=50`);
  await finished(page);
  const pdf = await page.pdf({ format: "A4" });
  const text = pdf.toString("latin1");
  assert.equal(pages(pdf), 1);
  // Its words are words: strings are shown by the dozen, besides the pictures of the charts.
  const streams = [...text.matchAll(/stream\r?\n/g)].map((it) => {
    try {
      return inflateSync(pdf.subarray(it.index + it[0].length), { finishFlush: 2 }).toString("latin1");
    } catch {
      return "";
    }
  });
  const shown = streams.join("\n").match(/\bT[jJ]\b/g)?.length ?? 0;
  assert.ok(shown > 60, `${shown} strings`);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const hidden of ["aside.rail", ".tools", ".presets", ".bar", ".menu", "footer button", ".embed-maker"]) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
  assert.match(await page.locator("footer .on-paper").innerText(), /#fan-out&fan_out=50&requests=20000$/);
  const corner = () => page.evaluate(() => {
    const canvas = document.querySelector("figure canvas");
    return [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data];
  });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.deepEqual(await corner(), [255, 255, 255, 255]);
  const drawn = await page.evaluate(() => [...document.querySelectorAll("figure canvas")].map((it) => it.width / it.height > 1.2));
  assert.ok(drawn.every((it) => it), "all are drawn, not only what is seen");
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await page.waitForFunction(() => {
    const canvas = document.querySelector("figure canvas");
    return canvas.getContext("2d").getImageData(2, 2, 1, 1).data[0] < 40;
  });
});
