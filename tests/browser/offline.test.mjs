// The page without a network, after one visit; and with a newer version behind it.

import assert from "node:assert/strict";
import { test } from "./harness.mjs";
import { serve } from "./server.mjs";

const WORKER = "service-worker.js";
const finished = (page) => page.waitForFunction(() => JSON.parse(window.wasmBindings?.tail_lab_state() ?? "null")?.finished);

// Opens the page from a host of its own, and waits until all of it is kept.
async function visit(page, site) {
  await page.goto(`${site.url}#fan-out&requests=20000`);
  await page.waitForFunction(() => window.wasmBindings);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

test("works when the network is gone after one visit", { faults: true }, async ({ page, context, seen }) => {
  const site = await serve();
  await visit(page, site);
  await site.stop();
  await page.reload();
  await finished(page);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.waitForFunction(() => location.hash.includes("hedge=after"));
  await finished(page);
  assert.equal(await page.evaluate(() => document.fonts.check('16px "Tail Lab Sans"')), true);
  const other = await context.newPage();
  await other.goto(`${site.url}index.html?workers=2#replicas&requests=20000`);
  await finished(other);
  assert.deepEqual(seen.errors, []);
});

test("a newer version is offered and taken on request only", { faults: true }, async ({ page, seen }) => {
  const site = await serve();
  await visit(page, site);
  const edit = (name, from, to) => {
    const text = site.files.get(name).toString();
    assert.ok(text.includes(from), `${name} holds no ${from}`);
    site.files.set(name, Buffer.from(text.replace(from, to)));
  };
  edit("index.html", "<html lang=\"en\">", "<html lang=\"en\" data-version=\"next\">");
  edit(WORKER, "const VERSION = \"", "const VERSION = \"next-");
  const version = () => page.evaluate(() => document.documentElement.dataset.version);
  const offer = page.getByText("A newer version of Tail Lab is ready.");
  await page.reload();
  await offer.waitFor();
  assert.equal(await version(), undefined);
  await finished(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await offer.waitFor({ state: "detached" });
  await page.reload();
  await offer.waitFor();
  assert.equal(await version(), undefined, "it was forced");
  await page.getByRole("button", { name: "Load it" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.version === "next");
  await finished(page);
  assert.equal(new URL(page.url()).hash, "#fan-out&requests=20000");
  assert.equal(await offer.count(), 0);
  const kept = await page.evaluate(() => caches.keys());
  assert.deepEqual(kept.map((it) => it.includes(" next-")), [true], "one version only is kept");
  assert.deepEqual(seen.errors, []);
  await site.stop();
});

test("can be installed", async ({ page, context, open }) => {
  await open();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const session = await context.newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A test's profile leaves no traces, which Chromium minds.
  assert.deepEqual(installabilityErrors.map((it) => it.errorId).filter((it) => it !== "in-incognito"), []);
});
