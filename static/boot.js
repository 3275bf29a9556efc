// Starts the page, and says so in words if it cannot.
import init, * as bindings from "./{{tail-lab.js}}";

try {
  // The theme of the last visit, before much is painted in another.
  const theme = localStorage.getItem("tail-lab-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // There is no storage: as the system has it.
}

try {
  await init();
  // What the page exports for its browser tests.
  window.wasmBindings = bindings;
  keep();
} catch (problem) {
  const sentence = document.getElementById("boot");
  if (sentence) {
    sentence.textContent = "The simulation could not start here. A current browser with WebAssembly, or loading the page again, may help.";
  }
  throw problem;
}

// Has the whole page kept for days without a network, and tells the page when a newer version is ready; which of them
// is shown, the person decides. A page within another leaves nothing behind on a visitor's machine.
async function keep() {
  const workers = navigator.serviceWorker;
  if (!workers || !location.protocol.startsWith("http") || window !== window.top) return;
  const kept = await workers.register("./service-worker.js").catch(() => undefined);
  if (!kept) return;
  const offer = () => {
    if (!kept.waiting || !workers.controller) return;
    document.documentElement.dataset.newer = "";
    window.dispatchEvent(new Event("tail-lab:newer"));
  };
  kept.addEventListener("updatefound", () => {
    const fresh = kept.installing;
    fresh?.addEventListener("statechange", offer);
  });
  window.addEventListener("tail-lab:take-newer", () => {
    workers.addEventListener("controllerchange", () => location.reload(), { once: true });
    kept.waiting?.postMessage("take over");
  });
  offer();
}
