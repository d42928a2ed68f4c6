// Starts the engine or a reader: both are workers of this one script, and the worker's name is its program's.
// No inline script and no eval, so that the content security policy can forbid both.

const early = [];
self.onmessage = (event) => early.push(event);

const tell = (error) => self.postMessage({ crashed: String((error && error.message) || error) });
self.addEventListener("unhandledrejection", (event) => tell(event.reason));

try {
  // The build's name travels in the query, so that no cache hands an old program to a new page.
  const build = new URL(import.meta.url).search;
  const { default: init } = await import(`./${self.name}.js${build}`);
  const compiled = self.name === "reader" && (await firstMessage()).program;
  await init({ module_or_path: compiled || new URL(`${self.name}_bg.wasm${build}`, import.meta.url) });
  // Rust has set its own handler by now; what came in between is handed over in order.
  for (const event of early.splice(0)) self.onmessage(event);
} catch (error) {
  tell(error);
}

// The engine tells a reader first what it has of an earlier one: the compiled program, so that a restart costs neither
// a fetch nor a compilation.
function firstMessage() {
  return new Promise((resolve) => {
    if (early.length > 0) return resolve(early.shift().data);
    self.onmessage = (event) => {
      self.onmessage = (next) => early.push(next);
      resolve(event.data);
    };
  });
}
