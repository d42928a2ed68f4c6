// Runs in the page that Chromium prints: cuts the flow into sheets of fixed size, and says where every word stands.
// `paginate` and `measure` are called by chromium.py. Distances are in CSS pixels, 96 to the inch.
"use strict";

/** Cuts the blocks of #source into sheets. */
function paginate(options) {
  const source = document.getElementById("source");
  const blocks = [...source.children];
  let sheet = newSheet(options);
  const queue = blocks;
  while (queue.length > 0) {
    const block = queue.shift();
    if (block.dataset.k === "break") {
      if (sheet.body.children.length > 0) sheet = newSheet(options);
      continue;
    }
    if (block.dataset.k === "aside" && sheet.side) {
      sheet.side.append(block);
      continue;
    }
    place(sheet, block);
    if (fits(sheet)) continue;
    const rest = split(sheet, block);
    if (rest === undefined) {
      remove(sheet, block);
      queue.unshift(block);
    } else {
      queue.unshift(rest);
    }
    // A heading or a line that announces something does not stay behind alone at the foot of a page.
    while (sheet.body.lastElementChild && announces(sheet.body.lastElementChild, queue[0])) {
      const last = sheet.body.lastElementChild;
      remove(sheet, last);
      queue.unshift(last);
    }
    if (sheet.body.children.length === 0 && sheet.empty) throw new Error("a block is larger than a page: " + block.textContent.slice(0, 80));
    sheet.empty = sheet.body.children.length === 0;
    sheet = newSheet(options, sheet.empty);
  }
  source.remove();
  const sheets = [...document.querySelectorAll(".sheet")];
  sheets.forEach((sheet, n) => {
    for (const part of sheet.querySelectorAll("[data-fill]")) {
      part.textContent = part.dataset.fill.replace("{n}", n + 1).replace("{N}", sheets.length);
    }
  });
  return sheets.length;
}

/** Lays every wide sheet on its side, so that a page that is turned for showing stands upright. */
function turn() {
  for (const sheet of document.querySelectorAll(".sheet")) {
    const holder = document.createElement("div");
    holder.className = "turn";
    sheet.replaceWith(holder);
    holder.append(sheet);
  }
}

function newSheet(options, wasEmpty) {
  const element = document.createElement("section");
  element.className = "sheet" + (options.landscape ? " landscape" : "") + (options.sidebar ? " with-side" : "");
  element.innerHTML = `<div class="head" data-flow="furniture">${options.head}</div><div class="main"><div class="body"></div>` +
    (options.sidebar ? '<div class="side" data-flow="aside"></div>' : "") +
    `</div><div class="notes" data-flow="note"></div><div class="foot" data-flow="furniture">${options.foot}</div>`;
  document.body.append(element);
  return { element, body: element.querySelector(".body"), side: element.querySelector(".side"), notes: element.querySelector(".notes"), empty: wasEmpty };
}

function place(sheet, block) {
  sheet.body.append(block);
  for (const note of block.querySelectorAll("template")) {
    const own = note.content.firstElementChild.cloneNode(true);
    sheet.notes.append(own);
  }
}

function remove(sheet, block) {
  block.remove();
  for (const note of block.querySelectorAll("template")) {
    const id = note.content.firstElementChild.dataset.id;
    sheet.notes.querySelector(`[data-id="${id}"]`)?.remove();
  }
}

const fits = ({ body }) => body.scrollHeight <= body.clientHeight + 0.5 && body.scrollWidth <= body.clientWidth + 0.5;

const announces = (last, next) =>
  last.dataset.k === "heading" || (last.dataset.k === "paragraph" && ["list", "table"].includes(next?.dataset.k) && last.textContent.trim().endsWith(":"));

/** Leaves as much of a table, list or paragraph as fits and gives the rest; `undefined` where it cannot be split. */
function split(sheet, block) {
  if (block.dataset.whole) return undefined;
  if (block.dataset.k === "table" || block.dataset.k === "list") {
    const parent = block.dataset.k === "table" ? block.querySelector("tbody") : block;
    const rest = block.cloneNode(true);
    const restParent = block.dataset.k === "table" ? rest.querySelector("tbody") : rest;
    rest.querySelector(".caption-above")?.remove();
    if (block.dataset.norepeat) rest.querySelector("thead").replaceChildren();
    restParent.replaceChildren();
    const below = block.querySelector(".caption-below");
    below?.remove();
    while (!fits(sheet) && parent.children.length > 0) restParent.prepend(parent.lastElementChild);
    if (parent.children.length < 2 || restParent.children.length < 2) {
      parent.append(...restParent.children);
      if (below) block.append(below);
      return undefined;
    }
    if (rest.tagName === "OL") rest.start = parent.children.length + (block.start || 1);
    return rest;
  }
  if (block.dataset.k === "paragraph" && !block.dataset.loose && block.childNodes.length === 1 && document.body.dataset.carry) {
    const words = block.textContent.split(" ");
    const rest = block.cloneNode(true);
    let low = 0, high = words.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      block.textContent = words.slice(0, middle).join(" ");
      if (fits(sheet)) low = middle; else high = middle;
    }
    // Two lines at least on either page: by words, which is near enough.
    if (low < 24 || words.length - low < 24) {
      block.textContent = words.join(" ");
      return undefined;
    }
    block.textContent = words.slice(0, low).join(" ");
    block.style.textAlignLast = getComputedStyle(block).textAlign === "justify" ? "justify" : "auto";
    block.style.marginBottom = "0";
    rest.textContent = words.slice(low).join(" ");
    rest.style.textIndent = "0";
    return rest;
  }
  return undefined;
}

/** Where everything stands: a list of sheets with their words and blocks. */
function measure() {
  return [...document.querySelectorAll(".sheet")].map((sheet) => {
    const origin = sheet.getBoundingClientRect();
    const box = (r) => [r.left - origin.left, r.top - origin.top, r.right - origin.left, r.bottom - origin.top].map((v) => Math.round(v * 7.5) / 10);
    const words = [];
    for (const holder of textBlocks(sheet)) wordsOf(holder, words, box);
    const blocks = [...sheet.querySelectorAll("[data-id]")].map((e) => [e.dataset.id, ...box(e.getBoundingClientRect())]);
    return { width: Math.round(origin.width * 7.5) / 10, height: Math.round(origin.height * 7.5) / 10, words, blocks };
  });
}

/** The innermost blocks that hold text. */
function textBlocks(sheet) {
  const isBlock = (e) => !["inline", "contents"].includes(getComputedStyle(e).display);
  const found = [];
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (walker.currentNode.textContent.trim() === "") continue;
    let holder = walker.currentNode.parentElement;
    while (!isBlock(holder)) holder = holder.parentElement;
    if (!found.includes(holder)) found.push(holder);
  }
  return found;
}

function wordsOf(holder, words, box) {
  const flow = holder.closest("[data-flow]")?.dataset.flow ?? "main";
  const id = holder.closest("[data-id]")?.dataset.id ?? "";
  let pieces = [];
  const flush = () => {
    // A word broken over lines is several printed pieces; one that only changes its style is one.
    const lines = [];
    for (const { char, rect } of pieces) {
      const last = lines.at(-1);
      const middle = (rect.top + rect.bottom) / 2;
      if (last && rect.left >= last.right - 4 && middle < last.bottom && middle > last.top) {
        last.text += char;
        last.left = Math.min(last.left, rect.left);
        last.right = Math.max(last.right, rect.right);
        last.top = Math.min(last.top, rect.top);
        last.bottom = Math.max(last.bottom, rect.bottom);
      } else if (last && getComputedStyle(holder).writingMode.startsWith("vertical")) {
        last.text += char;
        last.left = Math.min(last.left, rect.left);
        last.right = Math.max(last.right, rect.right);
        last.top = Math.min(last.top, rect.top);
        last.bottom = Math.max(last.bottom, rect.bottom);
      } else {
        lines.push({ text: char, left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
      }
    }
    for (const [n, line] of lines.entries()) {
      const broken = n + 1 < lines.length && line.text.endsWith("\u00ad");
      const text = line.text.replaceAll("\u00ad", "") + (broken ? "-" : "");
      words.push([text, ...box(line), flow, id, n + 1 < lines.length ? 1 : 0]);
    }
    pieces = [];
  };
  const walk = (node) => {
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (node !== holder && !["inline", "contents"].includes(getComputedStyle(node).display)) return flush();
      if (node.tagName === "BR") return flush();
      if (node.tagName === "TEMPLATE") return;
      node.childNodes.forEach(walk);
      return;
    }
    if (node.nodeType !== Node.TEXT_NODE) return;
    const text = node.textContent;
    for (let at = 0; at < text.length; at++) {
      if (/\s/.test(text[at])) {
        flush();
        continue;
      }
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const rects = [...range.getClientRects()];
      // The soft hyphen has a box only where the line was broken at it.
      const rect = rects.at(-1);
      if (rect && (rect.width > 0 || text[at] !== "\u00ad")) pieces.push({ char: text[at], rect });
    }
  };
  holder.childNodes.forEach(walk);
  flush();
}
