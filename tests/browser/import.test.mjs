// Files of latencies: picked, dropped, pasted, asked about, used, called off, and refused.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { test } from "./harness.mjs";

const QUICK = "#fan-out&requests=20000";
const golden = await readFile(new URL("../golden/links.txt", import.meta.url), "utf8");
const digitsOfGolden = await readFile(new URL("../golden/digits.jsonl", import.meta.url), "utf8");

const fixture = (name) => fileURLToPath(new URL(`../it/import/${name}`, import.meta.url));
const state = (page) => page.evaluate(() => JSON.parse(window.wasmBindings.tail_lab_state()));
const finished = (page) => page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state())?.finished);
const panel = (page) => page.locator("#import");
const pick = (page, name) => page.locator('input[type="file"]').first().setInputFiles(fixture(name));
const use = (page, words = "Use it") => panel(page).getByRole("button", { name: words, exact: true }).click();

// Drags files made in the page over it, and lets them go if asked.
const drag = (page, files, drop) =>
  page.evaluate(([files, drop]) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
    for (const kind of drop ? ["dragover", "drop"] : ["dragover"]) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, [files, drop]);

test("a file that is picked is shown, used, and travels in the link", async ({ page, context, url, open, axe, screenshot }) => {
  await open(QUICK);
  await pick(page, "jmeter/usual.jtl");
  await panel(page).getByText("Read as JMeter: 40 answers").waitFor();
  await panel(page).getByRole("row", { name: /^p50 117/ }).waitFor();
  assert.deepEqual(await axe(), []);
  await screenshot("import-read");
  assert.equal((await state(page)).link, "fan-out&requests=20000", "nothing is used unasked");
  await panel(page).getByRole("combobox", { name: "Which of them" }).selectOption({ index: 1 });
  await panel(page).getByText("Read as JMeter: 20 answers").waitFor();
  await panel(page).getByRole("combobox", { name: "Which of them" }).selectOption({ index: 0 });
  await use(page);
  await panel(page).getByText("is in use. The link carries it.").waitFor();
  await finished(page);
  const { link, measures } = await state(page);
  assert.match(link, /typical=measured/);
  assert.match(link, /data=1/);
  assert.ok(measures.some((it) => it.exact !== null), "there are exact values of measured data");
  await page.getByText(/^Median 117/).waitFor();
  assert.deepEqual(await axe(), []);
  await screenshot("import-used");
  const other = await context.newPage();
  await other.goto(`${url}#${link}`);
  await other.waitForFunction(() => window.wasmBindings);
  await finished(other);
  assert.deepEqual((await state(other)).measures, measures);
});

test("a link with data gives the digits that it gives natively", async ({ page, open }) => {
  const at = golden.split("\n").findIndex((it) => it.includes("data="));
  assert.ok(at >= 0);
  await open(`#${golden.split("\n")[at]}`);
  await finished(page);
  const { link, measures } = await state(page);
  const alone = JSON.parse(digitsOfGolden.split("\n")[at]);
  assert.equal(link, golden.split("\n")[at]);
  const digits = (list) => list.map(({ name, simulated, low, high, exact }) => ({ name, simulated, low, high, exact }));
  assert.deepEqual(digits(measures), digits(alone.measures));
});

test("two saved studies that are dropped become A and B", async ({ page, open, axe, screenshot }) => {
  await open("#replicas&requests=2000&warm_up=100");
  const saved = (link) => JSON.stringify({ link, scenario: "fan-out", measures: [] });
  await drag(page, [["a.json", saved("fan-out&fan_out=7&requests=20000")], ["b.json", saved("fan-out&requests=20000")]], true);
  await panel(page).getByText("a.json is A, b.json is B. Both are saved studies, not files of latencies.").waitFor();
  await page.waitForFunction(() => location.hash === "#fan-out&requests=20000&a.fan_out=7");
  await page.getByRole("button", { name: "Unpin A" }).waitFor();
  assert.deepEqual(await axe(), []);
  await screenshot("import-saved");
  await page.goBack();
  await page.waitForFunction(() => location.hash.startsWith("#replicas"));
});

test("a file dropped anywhere is read, and the unit is asked where it is not said", async ({ page, open, axe }) => {
  await open(QUICK);
  const text = await readFile(fixture("hgrm/usual.hgrm"), "utf8");
  await drag(page, [["run.hgrm", text]], false);
  await page.getByText("Drop a file of latencies").waitFor();
  await page.getByText("Drop a file of latencies").waitFor({ state: "detached" });
  await drag(page, [["run.hgrm", text]], true);
  const units = panel(page).getByRole("radiogroup", { name: "Unit of the numbers" });
  await units.waitFor();
  assert.equal(await units.getByRole("radio", { name: "ms" }).isChecked(), true);
  await panel(page).getByRole("row", { name: /^p50 4\.0\s*ms 4\.0/ }).waitFor();
  await units.getByRole("radio", { name: "ms" }).focus();
  await page.keyboard.press("ArrowRight");
  await panel(page).getByRole("row", { name: /^p50 4\.0\s*s 4\.0/ }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await panel(page).getByText("not known").waitFor();
  assert.deepEqual(await axe(), []);
  await use(page);
  await page.waitForFunction(() => location.hash.includes("data="));
});

test("a text is pasted on the page, or into its box", async ({ page, open }) => {
  await open(QUICK);
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "5 ms\n7 ms\n9 ms\n12 ms\n");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await panel(page).locator(".quiet").first().waitFor();
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.getByRole("textbox", { name: /one number a line/ }).fill("5\n7\n9\n12\n");
  await page.getByRole("button", { name: "Read it" }).click();
  await panel(page).getByText("Read as plain numbers: 4 answers").waitFor();
  await panel(page).getByRole("button", { name: "Leave it" }).click();
  assert.equal(await panel(page).locator(".quiet").count(), 0);
});

test("a file that cannot be read says why, and takes nothing away", async ({ page, open }) => {
  await open(QUICK);
  await pick(page, "jmeter/usual.jtl");
  await use(page);
  await page.waitForFunction(() => location.hash.includes("data="));
  const { link } = await state(page);
  await pick(page, "jmeter/broken-elapsed.jtl");
  await panel(page).getByText("Line 2: expected a number of milliseconds under elapsed").waitFor();
  assert.equal((await state(page)).link, link);
  await drag(page, [["<img src=x onerror=alert(1)>.txt".repeat(9), "<script>alert(1)</script>\n".repeat(2000)]], true);
  await panel(page).getByText("Line 1: expected the output of a load tool").waitFor();
  assert.equal(await panel(page).locator("img, script").count(), 0);
  assert.ok((await panel(page).innerText()).length < 600);
  assert.equal((await state(page)).link, link);
});

test("where data have no place, the panel leads to where they have one", async ({ page, open }) => {
  await open("#bursts&requests=20000");
  await drag(page, [["run.txt", await readFile(fixture("wrk2/usual.txt"), "utf8")]], true);
  await panel(page).getByText("has no place for measured data").waitFor();
  await use(page, "Use it in Replicas");
  await page.waitForFunction(() => /^#replicas&.*service=measured.*data=1/.test(location.hash));
});

test("“measured” without data asks for them", async ({ page, open, axe }) => {
  await open(QUICK);
  await page.getByRole("radio", { name: "Measured" }).check({ force: true });
  await page.getByText("There are no measured data yet").waitFor();
  assert.deepEqual(await axe(), []);
});

test("a hundred megabytes are read beside the page, or called off", { seconds: 90 }, async ({ page, open, longTasks }) => {
  await open("#fan-out&requests=1000");
  await finished(page);
  const give = () =>
    page.evaluate(() => {
      const row = (at) => `${1600000000000 + at},${20 + (at % 400)},GET /,200,OK,Group 1-1,text,true,100,10\n`;
      const million = Array.from({ length: 17000 }, (_, at) => row(at)).join("");
      const head = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,bytes,Latency\n";
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([head, ...Array(100).fill(million)], "large.jtl"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      return performance.now();
    });
  await give();
  await panel(page).getByRole("button", { name: "Cancel" }).click();
  await panel(page).getByRole("progressbar").waitFor({ state: "detached" });
  await page.waitForTimeout(500);
  assert.equal(await panel(page).locator(".quiet").count(), 0, "what was called off does not come back");
  const from = await give();
  await panel(page).getByText("Read as JMeter: 1,700,000 answers").waitFor({ timeout: 60000 });
  // Without optimisation, on a busy machine, a redraw of the page takes its time; reading 100 MB would take seconds.
  const long = (await longTasks()).filter((it) => it.start > from && it.duration > 400);
  assert.deepEqual(long, []);
});

test("measured data fit a phone in the dark", { phone: true, dark: true }, async ({ page, open, axe, screenshot }) => {
  await open(QUICK);
  await pick(page, "hgrm/usual.hgrm");
  await panel(page).getByText("Read as HdrHistogram percentiles: 2,000").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await axe(), []);
  await screenshot("import-phone");
});

test("two files are read, shown, used as A and B, and travel in the link", { seconds: 60 }, async ({ page, context, url, open, axe, screenshot }) => {
  await open(`${QUICK}&fan_out=1`);
  await page.locator('input[type="file"]').first().setInputFiles([fixture("wrk2/usual.txt"), fixture("jmeter/usual.jtl")]);
  const both = panel(page).getByRole("button", { name: "Use both, as A and B" });
  await both.waitFor();
  await panel(page).getByText(/^A usual\.txt Read as wrk2: 2,000 answers/).waitFor();
  await panel(page).getByText(/^B usual\.jtl Read as JMeter: 40 answers/).waitFor();
  assert.equal(await panel(page).getByRole("table").count(), 2);
  assert.deepEqual(await axe(), []);
  await screenshot("import-two");
  assert.equal((await state(page)).link, "fan-out&fan_out=1&requests=20000", "nothing is used unasked");
  // What is chosen of one file is of that file alone.
  await panel(page).getByRole("combobox", { name: "Which of them" }).selectOption({ index: 1 });
  await panel(page).getByText("Read as JMeter: 20 answers").waitFor();
  await panel(page).getByText("Read as wrk2: 2,000 answers").waitFor();
  await panel(page).getByRole("combobox", { name: "Which of them" }).selectOption({ index: 0 });
  await both.click();
  await panel(page).getByText("usual.txt is A, usual.jtl is B. The link carries both.").waitFor();
  await page.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).pinned);
  const { link, measures } = await state(page);
  assert.match(link, /^fan-out&fan_out=1&typical=measured&.*&data=1[^&]*&a\.data=1[^&]*$/);
  assert.ok(link.length < 4096, `${link.length} letters`);
  await page.getByText(/^A data with a median of 4\.0/).waitFor();
  await page.getByText(/^B data with a median of 117/).waitFor();
  assert.match(await page.locator(".readout .key .d").innerText(), /\+9\d/, "nearly all of B are later than the p99 of A");
  assert.deepEqual(await axe(), []);
  await screenshot("import-two-used");
  const other = await context.newPage();
  await other.goto(`${url}#${link}`);
  await other.waitForFunction(() => window.wasmBindings);
  await other.waitForFunction(() => JSON.parse(window.wasmBindings.tail_lab_state()).pinned);
  assert.deepEqual((await state(other)).measures, measures);
  await other.getByText(/^A data with a median of 4\.0/).waitFor();
});

test("of two files that are dropped one may fail, and of more than two the first two are taken", async ({ page, open, axe, screenshot }) => {
  await open(QUICK);
  const text = (name) => readFile(fixture(name), "utf8");
  const [good, other, broken] = await Promise.all(["wrk2/usual.txt", "hey/usual.csv", "jmeter/broken-elapsed.jtl"].map(text));
  await drag(page, [["first.jtl", broken], ["second.txt", good]], true);
  await panel(page).getByText(/^first\.jtl Line 2: expected .* The other file can be used\.$/).waitFor();
  await panel(page).getByText(/^second\.txt Read as/).waitFor();
  assert.deepEqual(await axe(), []);
  await screenshot("import-one-of-two");
  await panel(page).getByRole("button", { name: "Dismiss" }).click();
  await use(page);
  await page.waitForFunction(() => location.hash.includes("&data=1"));
  assert.doesNotMatch((await state(page)).link, /a\./);
  await drag(page, [["1.txt", good], ["2.csv", other], ["3.txt", good], ["4.txt", good]], true);
  await panel(page).getByText("Two files are taken at a time, as A and B: the first two. Left out: 2.").waitFor();
  await panel(page).getByText(/^A 1\.txt/).waitFor();
  await panel(page).getByText(/^B 2\.csv/).waitFor();
  await panel(page).getByRole("button", { name: "Leave this one out: 1.txt" }).click();
  await panel(page).getByText(/^2\.csv Read as hey/).waitFor();
  await panel(page).getByRole("button", { name: "Use it", exact: true }).waitFor();
});

test("two files fit a phone in the dark", { phone: true, dark: true }, async ({ page, open, axe, screenshot }) => {
  await open(QUICK);
  const text = (name) => readFile(fixture(name), "utf8");
  await drag(page, [["hey.csv", await text("hey/usual.csv")], ["run.hgrm", await text("hgrm/usual.hgrm")]], true);
  await panel(page).getByRole("button", { name: "Use both, as A and B" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await axe(), []);
  await screenshot("import-two-phone");
  await panel(page).getByRole("button", { name: "Leave both" }).click();
  assert.equal(await panel(page).locator(".quiet").count(), 0);
});
