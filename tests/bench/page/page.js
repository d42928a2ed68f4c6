// Starts a worker for one step of the benchmark and keeps what it reports in `window.report`, with the time from the
// worker's start to its first answer as the page sees it.
"use strict";

window.measure = (step) => {
  window.report = null;
  const started = performance.now();
  const worker = new Worker(step.worker ?? "worker.js");
  let firstAnswerMillis = null;
  worker.onmessage = ({ data }) => {
    if (data.firstAnswer) firstAnswerMillis = performance.now() - started;
    else window.report = { ...data, firstAnswerMillis };
  };
  worker.onerror = (event) => (window.report = { error: event.message });
  worker.postMessage(step);
};
