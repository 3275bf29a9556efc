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
} catch (problem) {
  const sentence = document.getElementById("boot");
  if (sentence) {
    sentence.textContent = "The simulation could not start here. A current browser with WebAssembly, or loading the page again, may help.";
  }
  throw problem;
}
