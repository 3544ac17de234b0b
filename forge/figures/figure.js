// The dial and the strip. First the functions that know no page, then the view that draws what they say.
// Everything was computed before, arrives as text and is shown as text: nothing here becomes HTML.

const CUT = "‸";

/** A verdict without the glyph it begins with: the glyph is drawn. */
export function worded({ mark, verdict }) {
  return mark ? verdict.slice(1).trim() : verdict;
}

/** What a frame of a dial says, to be heard. */
export function announceFrame({ label, blocks }) {
  return [label, ...blocks.map((block) => `${block.heading}: ${worded(block)}`)].filter(Boolean).join("; ");
}

/** What a segment of a strip says, to be heard. */
export function announceSegment({ facts, caption }) {
  return [...facts.map(([label, value]) => `${label} ${value}`), caption].filter(Boolean).join("; ");
}

/** A place of a dial in words: "3 of 5 disk operations". */
export function placed(at, last, unit) {
  return `${at} of ${last} ${unit}`;
}

/** How many lines the longest text of each block has, over all frames: so much room is kept. */
export function roomFor(frames) {
  const lines = (text) => text.split("\n").length;
  return frames[0].blocks.map((_, i) => Math.max(...frames.map(({ blocks }) => lines(blocks[i].text))));
}

// ---- the views ---------------------------------------------------------------------------------------

const NAMES = { holds: "holds", broken: "broken", changed: "changed", notyet: "not yet" };
const SHAPE = { holds: "holds", broken: "cross", changed: "changed", notyet: "notyet" };

function glyph(mark) {
  return mark ? [icon(SHAPE[mark])] : [];
}

function cutText(text) {
  const [first, ...rest] = text.split(CUT);
  return [first, ...rest.flatMap((part) => [h("span", { class: "cut" }, icon("cross"), unseen("cut here")), part])];
}

function factTable(facts, label) {
  const rows = facts.map(([name, value]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", { dir: "auto" }, value)));
  return h("table", { "aria-label": label }, h("tbody", {}, ...rows));
}

/** A dial: its parts, and how each place is drawn. */
function buildDial(content) {
  const { title, lead, unit, frames } = content;
  const last = frames.length - 1;
  const id = `forge-dial-${Math.random().toString(36).slice(2)}`;
  const slider = h("input", { type: "range", id, min: 0, max: last, step: 1, "data-part": "slider" });
  const value = h("span", { "data-part": "value" });
  const label = h("span", { class: "label", "data-part": "label" });
  const drawing = svg("svg", { "aria-hidden": "true" });
  const room = roomFor(frames);
  const blocks = frames[0].blocks.map((block, i) => {
    const parts = {
      note: h("p", { class: "note quiet", "data-part": "note" }),
      verdict: h("p", { class: "verdict", "data-part": "verdict" }),
      text: h("pre", { dir: "auto", "data-part": "text", style: `--lines: ${room[i]}` }),
    };
    const children = [h("p", { class: "heading" }, block.heading), parts.note, parts.verdict, parts.text];
    return { ...parts, root: h("div", { class: "block", "data-block": i }, ...children) };
  });
  const caption = h("p", { class: "caption", "data-part": "caption" });
  const children = [
    h("div", { class: "bar" }, h("label", { for: id }, lead), value, label),
    h("div", { class: "ruler" }, drawing, slider),
    h("div", { class: "blocks" }, ...blocks.map(({ root }) => root)),
    caption,
  ];
  let width = 0;

  function draw(at) {
    const frame = frames[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", [placed(at, last, unit), frame.label].filter(Boolean).join(": "));
    value.replaceChildren(h("b", {}, String(at)), ` of ${last} ${unit}`);
    label.textContent = frame.label;
    caption.textContent = frame.caption;
    frame.blocks.forEach(({ text, mark, note, verdict }, i) => {
      blocks[i].root.dataset.mark = mark ?? "";
      blocks[i].note.textContent = note;
      blocks[i].verdict.replaceChildren(...glyph(mark), h("span", {}, worded({ mark, verdict })));
      blocks[i].text.replaceChildren(...cutText(text));
    });
    drawRuler(at);
    return announceFrame(frame);
  }

  function drawRuler(at) {
    width = Math.max(0, slider.clientWidth - THUMB);
    const ticks = (upTo) => {
      const x = (n) => (last ? (n / last) * width : 0);
      let path = `M0 0H${x(upTo)}`;
      for (let n = 0; n <= upTo && width; n++) path += `M${x(n)} -5V5`;
      return path;
    };
    drawing.replaceChildren(svg("g", { transform: `translate(${THUMB / 2} 12)` },
      svg("path", { class: "track", d: ticks(last) }), svg("path", { class: "passed", d: ticks(at) })));
  }

  const fit = (at) => slider.clientWidth - THUMB !== width && drawRuler(at);
  return { name: "forge-dial", title, last, children, draw, fit, slider };
}

/** A strip: its parts, and how each place is drawn. */
function buildStrip(content) {
  const { title, segments } = content;
  const buttons = segments.map(({ label, mark }, i) => {
    const name = { role: "radio", "aria-label": `${label}, ${NAMES[mark]}` };
    return h("button", { type: "button", ...name, "data-place": i, "data-mark": mark }, ...glyph(mark), label);
  });
  const tallest = Math.max(...segments.map(({ facts, caption }) => facts.length + (caption ? 1 : 0)));
  const details = h("div", { class: "details", "data-part": "details", style: `--lines: ${tallest + 1}` });
  const row = { class: "segments", style: `--longest: ${Math.max(...segments.map(({ label }) => label.length))}` };
  const children = [
    h("div", { ...row, role: "radiogroup", "aria-label": title || "strip" }, ...buttons),
    details,
    ...(content.caption ? [h("p", { class: "caption" }, content.caption)] : []),
  ];

  function draw(at, focus) {
    const { label, mark, facts, caption } = segments[at];
    buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", i === at);
      button.tabIndex = i === at ? 0 : -1;
    });
    if (focus) buttons[at].focus();
    details.dataset.mark = mark;
    details.replaceChildren(
      h("p", { class: "verdict" }, ...glyph(mark), h("span", { "data-part": "label" }, label)),
      ...(facts.length ? [factTable(facts, label)] : []),
      ...(caption ? [h("p", { "data-part": "caption", dir: "auto" }, caption)] : []));
    return announceSegment(segments[at]);
  }

  return { name: "forge-strip", title, last: segments.length - 1, children, draw, fit: () => {} };
}

/** Draw a view of `model` into `el`, and return what takes it away again. */
function render({ model, el }) {
  const content = model.get("content");
  const figure = content.kind === "dial" ? buildDial(content) : buildStrip(content);
  const live = h("p", { class: "unseen", "aria-live": "polite", "data-part": "change" });
  const group = { role: "group", "aria-label": figure.title || content.kind, tabindex: -1 };
  const root = h("div", { class: `forge-figure ${figure.name}`, "data-last": figure.last, ...group },
    ...(figure.title ? [h("p", { class: "name", dir: "auto" }, figure.title)] : []), ...figure.children, live);
  const stopped = new AbortController();
  let [at, saying] = [model.get("at"), 0];

  function go(to, focus = false) {
    at = to;
    model.set("at", at);
    root.dataset.value = at;
    const sentence = figure.draw(at, focus);
    clearTimeout(saying);
    saying = setTimeout(() => (live.textContent = sentence), ANNOUNCE_AFTER);
  }

  // No plain key may reach the notebook: its command mode deletes the cell on d d. Shift+Enter still runs it.
  function press(event) {
    if (isNotebooks(event)) return;
    event.stopPropagation();
    // In a row of segments, as in every group of radio buttons, down is onwards.
    const to = event.shiftKey ? null : moveBy(event.key, at, figure.last, ...(figure.slider ? [] : [-1]));
    if (to === null) return;
    event.preventDefault();
    go(to, !figure.slider);
  }

  function click(event) {
    const button = event.target.closest("[data-place]");
    if (button) go(Number(button.dataset.place), true);
  }

  function followModel() {
    if (model.get("at") !== at) go(model.get("at"));
  }

  const { signal } = stopped;
  root.addEventListener("keydown", press, { signal });
  root.addEventListener("click", click, { signal });
  figure.slider?.addEventListener("input", () => go(Number(figure.slider.value)), { signal });
  model.on("change:at", followModel);
  const resized = new ResizeObserver(() => figure.fit(at));
  resized.observe(root);

  el.append(root);
  go(at);
  clearTimeout(saying);

  return () => {
    stopped.abort();
    clearTimeout(saying);
    resized.disconnect();
    model.off("change:at", followModel);
    root.remove();
  };
}

export default { render };
