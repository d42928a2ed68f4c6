// Starts the engine or a reader: both are workers of this one script, told apart by the worker's name.
// No inline script and no eval, so that the content security policy can forbid both.

const early = [];
self.onmessage = (event) => early.push(event);

const tell = (error) => self.postMessage({ crashed: String((error && error.message) || error) });
self.addEventListener("unhandledrejection", (event) => tell(event.reason));

try {
  // The build's name travels in the query, so that no cache hands an old engine to a new page.
  const build = new URL(import.meta.url).search;
  const { default: init } = await import("./engine.js" + build);
  const compiled = self.name === "reader" ? await firstMessage() : new URL("engine_bg.wasm" + build, import.meta.url);
  await init({ module_or_path: compiled });
  // Rust has set its own handler by now; what came in between is handed over in order.
  for (const event of early.splice(0)) self.onmessage(event);
} catch (error) {
  tell(error);
}

// A reader is handed the engine's compiled module, so that a restart costs neither a fetch nor a compilation.
function firstMessage() {
  return new Promise((resolve) => {
    if (early.length > 0) return resolve(early.shift().data);
    self.onmessage = (event) => {
      self.onmessage = (next) => early.push(next);
      resolve(event.data);
    };
  });
}
