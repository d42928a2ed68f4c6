// One step of the benchmark for one library, in a worker of its own: `build` (index, ask, save) or `open` (load what was
// saved, ask once). Every library does the same: ten numbers of chunks per question.
"use strict";

const DEPTH = 10;
const WARM_UP = 10;
const PASSES = 3;

const libraries = {
  millwright: {
    async start() {
      importScripts("lexical.js");
      await wasm_bindgen({ module_or_path: "lexical_bg.wasm" });
    },
    build: (chunks) => wasm_bindgen.Lexical.build(chunks.map((c) => c.title), chunks.map((c) => c.text)),
    search: (index, question) => Array.from(index.search(question)),
    save: (index) => index.packed(),
    open: (saved) => wasm_bindgen.Lexical.open(saved),
  },
  elasticlunr: {
    start() {
      importScripts("elasticlunr.js");
    },
    build(chunks) {
      const index = elasticlunr();
      index.addField("title");
      index.addField("text");
      index.setRef("id");
      index.saveDocument(false);
      for (const chunk of chunks) index.addDoc(chunk);
      return index;
    },
    search: (index, question) => index.search(question, {}).slice(0, DEPTH).map((hit) => Number(hit.ref)),
    save: (index) => JSON.stringify(index),
    open: (saved) => elasticlunr.Index.load(JSON.parse(saved)),
  },
  minisearch: {
    options: { fields: ["title", "text"], idField: "id" },
    start() {
      importScripts("minisearch.js");
    },
    build(chunks) {
      const index = new MiniSearch(this.options);
      index.addAll(chunks);
      return index;
    },
    search: (index, question) => index.search(question).slice(0, DEPTH).map((hit) => hit.id),
    save: (index) => JSON.stringify(index),
    open(saved) {
      return MiniSearch.loadJSON(saved, this.options);
    },
  },
};

self.onmessage = async ({ data: { library: name, step, size } }) => {
  try {
    const library = libraries[name];
    await library.start();
    const steps = { build: () => build(library, size), open: () => open(library), read };
    self.postMessage(await steps[step]());
  } catch (error) {
    self.postMessage({ error: String(error?.stack ?? error) });
  }
};

async function build(library, size) {
  const chunks = await (await fetch(`chunks-${size}.json`)).json();
  const questions = await (await fetch("questions.json")).json();
  const began = performance.now();
  const index = await library.build(chunks);
  const buildMillis = performance.now() - began;
  for (const question of questions.slice(0, WARM_UP)) library.search(index, question);
  // The least of several passes over the same question: what else the machine did meanwhile is not the library's.
  const least = questions.map(() => Infinity);
  let answers = [];
  for (let pass = 0; pass < PASSES; pass++) {
    answers = questions.map((question, n) => {
      const asked = performance.now();
      const hits = library.search(index, question);
      least[n] = Math.min(least[n], performance.now() - asked);
      return hits;
    });
  }
  const saved = await library.save(index);
  await keep(saved);
  least.sort((a, b) => a - b);
  const at = (share) => least[Math.min(least.length - 1, Math.floor(share * least.length))];
  const bytes = typeof saved === "string" ? new Blob([saved]).size : saved.byteLength;
  return { buildMillis, bytes, p50Millis: at(0.5), p95Millis: at(0.95), answers };
}

async function open(library) {
  const index = await library.open(await kept());
  const hits = library.search(index, (await (await fetch("questions.json")).json())[3]);
  self.postMessage({ firstAnswer: true });
  return { nHits: hits.length };
}

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function database() {
  const opening = indexedDB.open("benchmark", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("saved");
  return done(opening);
}

async function keep(saved) {
  const transaction = (await database()).transaction("saved", "readwrite");
  transaction.objectStore("saved").put(saved, "index");
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

async function kept() {
  return done((await database()).transaction("saved").objectStore("saved").get("index"));
}

// Reads every file of every group some times over and reports the least milliseconds of each group, with its nodes.
async function read() {
  const groups = [];
  for (const { title, files } of await (await fetch("files.json")).json()) {
    const contents = await Promise.all(files.map(async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer())));
    let millis = Infinity;
    let nodes = 0;
    for (let pass = 0; pass < PASSES; pass++) {
      const began = performance.now();
      nodes = files.reduce((sum, name, n) => sum + wasm_bindgen.read(name, contents[n]), 0);
      millis = Math.min(millis, performance.now() - began);
    }
    groups.push({ title, millis, nodes });
  }
  return { groups };
}
