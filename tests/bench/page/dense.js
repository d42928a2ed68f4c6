// One step of the benchmark of vectors in a worker of its own: `scan` (the core's scan beside the bare kernel), `encode`
// (the embedding model beside onnxruntime-web), `ask` (a whole question) or `hold` (the memory of what a worker keeps).
"use strict";

const PASSES = 9;
const DIMENSIONS = 384;
const DEPTH = 10;
// Sixteen tokens each, the first and the last token of every text counted.
const QUESTIONS = [
  "How do I change the oil of the gearbox when it is cold?",
  "Which torque do the screws of the motor need after a repair?",
  "How often must the oil of the main pump be changed in winter?",
];

self.onmessage = async ({ data }) => {
  try {
    importScripts("dense_core.js");
    await wasm_bindgen({ module_or_path: "dense_core_bg.wasm" });
    const steps = { scan, encode, ask, hold };
    self.postMessage(await steps[data.step](data));
  } catch (error) {
    self.postMessage({ error: String(error?.stack ?? error) });
  }
};

const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
const floats = async (name) => new Float32Array(await (await fetch(name)).arrayBuffer());
const json = async (name) => (await fetch(name)).json();
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const share = (numbers, part) => [...numbers].sort((a, b) => a - b)[Math.floor(part * (numbers.length - 1))];
const timed = async (action) => {
  const began = performance.now();
  await action();
  return performance.now() - began;
};

async function model() {
  const files = ["model.safetensors", "config.json", "tokenizer.json"];
  const [weights, measures, tokenizer] = await Promise.all(files.map(bytes));
  return wasm_bindgen.Minilm.create(weights, measures, tokenizer);
}

// Both look for the same questions in turn; of each question the least time counts.
async function scan({ size }) {
  const real = await floats("vectors.f32");
  const questions = await floats("questions.f32");
  const each = Array.from({ length: questions.length / DIMENSIONS }, (_, n) =>
    questions.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS));
  const right = wasm_bindgen.exact(real, size, questions);
  const report = {};
  const scans = { ours: wasm_bindgen.Scan.build(real, size), bare: wasm_bindgen.Bare.build(real, size) };
  const least = Object.fromEntries(Object.keys(scans).map((name) => [name, each.map(() => Infinity)]));
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [name, scan] of Object.entries(scans)) {
      let nRight = 0;
      each.forEach((question, n) => {
        const began = performance.now();
        const found = scan.search(question);
        least[name][n] = Math.min(least[name][n], performance.now() - began);
        const wanted = right.subarray(n * DEPTH, (n + 1) * DEPTH);
        nRight += found.filter((row) => wanted.includes(row)).length;
      });
      report[name] = { p50Millis: median(least[name]), recall: nRight / (each.length * DEPTH) };
    }
  }
  return report;
}

async function peer() {
  importScripts("ort.wasm.min.js");
  ort.env.wasm.wasmPaths = new URL(".", self.location.href).href;
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  const session = await ort.InferenceSession.create(await bytes("minilm_int8.onnx"), {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
  });
  // Texts of other lengths are filled up to the longest, and masked.
  return (texts) => {
    const longest = Math.max(...texts.map((tokens) => tokens.length));
    const filled = (fill) => {
      const numbers = new BigInt64Array(texts.length * longest);
      texts.forEach((tokens, row) => tokens.forEach((token, at) => (numbers[row * longest + at] = BigInt(fill(token)))));
      return new ort.Tensor("int64", numbers, [texts.length, longest]);
    };
    const all = { input_ids: filled((token) => token), attention_mask: filled(() => 1), token_type_ids: filled(() => 0) };
    const inputs = Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
    return session.run(inputs, [session.outputNames[0]]);
  };
}

// Questions one by one and passages together, both in turn. Ours makes the tokens as well; the peer is given them.
async function encode() {
  const ours = await model();
  const theirs = await peer();
  const tokens = (text) => Array.from(ours.tokens(text));
  const asked = QUESTIONS.map(tokens);
  if (asked.some((tokens) => tokens.length !== 16)) throw new Error("a question has not sixteen tokens");
  const millis = { ours: [], theirs: [] };
  for (let pass = -2; pass < 40; pass++) {
    for (const [n, question] of QUESTIONS.entries()) {
      const took = { ours: await timed(() => ours.question(question)), theirs: await timed(() => theirs([asked[n]])) };
      if (pass >= 0) for (const name of Object.keys(took)) millis[name].push(took[name]);
    }
  }
  const passages = await json("passages.json");
  const nWords = passages.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  // The peer at its best: alone without filling up, or eight of about one length together.
  const made = passages.map(tokens).sort((a, b) => a.length - b.length);
  const batches = (size) => Array.from({ length: Math.ceil(made.length / size) }, (_, n) => made.slice(n * size, (n + 1) * size));
  const least = { ours: Infinity, single: Infinity, eight: Infinity };
  const keep = (name, took) => (least[name] = Math.min(least[name], took));
  const run = async (size) => {
    for (const batch of batches(size)) await theirs(batch);
  };
  for (let pass = 0; pass < 3; pass++) {
    keep("ours", await timed(() => ours.passages(passages)));
    keep("single", await timed(() => run(1)));
    keep("eight", await timed(() => run(8)));
  }
  const files = await json("some-files.json");
  const fileWords = files.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  const ingest = await timed(() => wasm_bindgen.Shelf.build(files).embed(ours));
  return {
    question: { ours: median(millis.ours), theirs: median(millis.theirs) },
    passages: {
      ours: nWords / least.ours * 1000,
      theirs: nWords / Math.min(least.single, least.eight) * 1000,
    },
    ingest: fileWords / ingest * 1000,
  };
}

// From the question to the passages, with the model and the library in one worker.
async function ask() {
  const ours = await model();
  const shelf = wasm_bindgen.Shelf.build(await json("files.json"));
  shelf.take(await floats("vectors.f32"));
  const questions = await json("questions.json");
  const least = questions.map(() => Infinity);
  let nPassages = 0;
  for (let pass = 0; pass < 3; pass++) {
    for (const [n, question] of questions.entries()) {
      const took = await timed(() => (nPassages += shelf.ask(ours, question, 10)));
      least[n] = Math.min(least[n], took);
    }
  }
  return { p50Millis: median(least), p95Millis: share(least, 0.95), nEmbedded: shelf.embedded(), nPassages };
}

// What the engine's worker holds at this size: the library with all its vectors; the model is another worker's.
async function hold({ size }) {
  const shelf = wasm_bindgen.Shelf.build(await json(`files-${size}.json`));
  shelf.take(await floats("vectors.f32"));
  return { bytes: wasm_bindgen.memoryBytes(), nEmbedded: shelf.embedded() };
}
