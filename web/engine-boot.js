// Starts the engine, a reader or an embedder: all are workers of this one script, and the worker's name is its program's.
// No inline script and no eval, so that the content security policy can forbid both.

const early = [];
self.onmessage = (event) => early.push(event);

const tell = (error) => self.postMessage({ crashed: String((error && error.message) || error) });
self.addEventListener("unhandledrejection", (event) => tell(event.reason));

try {
  // The build's name travels in the query, so that no cache hands an old program to a new page.
  const build = new URL(import.meta.url).search;
  const program = self.name === "embedder" && hasRelaxedSimd() ? "embedder-relaxed" : self.name;
  const { default: init } = await import(`./${program}.js${build}`);
  const compiled = self.name !== "engine" && (await firstMessage()).program;
  await init({ module_or_path: compiled || new URL(`${program}_bg.wasm${build}`, import.meta.url) });
  // Rust has set its own handler by now; what came in between is handed over in order.
  for (const event of early.splice(0)) self.onmessage(event);
} catch (error) {
  tell(error);
}

// The engine tells a reader or an embedder first what it has of an earlier one: the compiled program, so that a restart costs neither
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

// A module of one function with the one instruction that the fast embedder is built around: four sums of products of
// eight-bit numbers. Programs that hold it are refused as a whole by browsers that do not know it.
function hasRelaxedSimd() {
  // prettier-ignore
  const module = [
    0, 97, 115, 109, 1, 0, 0, 0,       // "\0asm", version 1
    1, 5, 1, 96, 0, 1, 123,            // types: one function of nothing that gives a v128
    3, 2, 1, 0,                        // functions: one, of that type
    10, 19, 1, 17, 0,                  // code: one body of 17 bytes, without locals
    65, 0, 253, 17,                    // i32.const 0, i32x4.splat
    65, 0, 253, 17,
    65, 0, 253, 17,
    253, 147, 2,                       // i32x4.relaxed_dot_i8x16_i7x16_add_s
    11,
  ];
  return WebAssembly.validate(new Uint8Array(module));
}
