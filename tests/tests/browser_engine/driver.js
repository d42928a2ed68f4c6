// Drives the engine without the page: `engine.ask(request, files)` resolves to the events of a request, its last included.
// Files are [name, text] pairs.

window.engine = (() => {
  const worker = new Worker("./engine-boot.js?v=test", { type: "module", name: "engine" });
  const waiting = new Map();
  const unasked = [];
  const up = new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.up) return resolve();
      if (data.crashed) return reject(new Error(data.crashed));
      const { id, body } = JSON.parse(data.json);
      if (id === 0) return unasked.push(body);
      const request = waiting.get(id);
      request.events.push({ ...body, at: performance.now() });
      const goesOn = ["file_progress", "file_done"].includes(body.type);
      if (!goesOn) request.end(request.events);
    };
  });
  let lastId = 0;
  const start = (request, files = []) => {
    const id = ++lastId;
    const events = [];
    const ended = new Promise((end) => waiting.set(id, { events, end }));
    const attached = files.map(([name, text]) => new File([text], name));
    worker.postMessage({ json: JSON.stringify({ id, body: request }), files: attached });
    return { id, events, ended };
  };
  const ask = (request, files) => start(request, files).ended;
  const ingest = (files) => start({ type: "ingest", names: files.map(([name]) => name) }, files);
  return { up, start, ask, ingest, unasked };
})();
