// The replay timeline. First the functions that know no page, then the view that draws what they say.
// All values arrive as text and are shown as text: nothing here becomes HTML.

const KEYFRAME_EVERY = 100;
const ROW_HEIGHT = 24;
const SHOWN_EVENTS = 9;
const SHOWN_VALUES = 200;
const SHOWN_CHARACTERS = 600;
const PLAY_EVERY = 900;
const SPEEDS = [1, 2, 4, 8, 16];
const EDITING = new Set(["ArrowLeft", "ArrowRight", "Home", "End", " "]);

/** The JSON in gzip bytes. */
export async function decode(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** Columns of [gaps, texts] as one list [column, text, column, text, …] per event. */
export function byEvent(columns, count) {
  const events = Array.from({ length: count }, () => []);
  columns.forEach(([gaps, texts], column) => {
    let place = 0;
    gaps.forEach((gap, i) => events[(place += gap)].push(column, texts[i]));
  });
  return events;
}

/** Set, or with null remove, the values of one patch [path, text, path, text, …] in a state. */
export function applyPatch(state, patch) {
  for (let i = 0; i < patch.length; i += 2) {
    if (patch[i + 1] === null) state.delete(patch[i]);
    else state.set(patch[i], patch[i + 1]);
  }
  return state;
}

/** A decoded page made seekable: patches and fields per event, and a keyframe every so many events. */
export function openPage(raw, every = KEYFRAME_EVERY) {
  const patches = byEvent(raw.changes, raw.states);
  const state = new Map();
  raw.keyframe.forEach((text, path) => text !== null && state.set(path, text));
  const frames = [new Map(state)];
  patches.forEach((patch, i) => {
    applyPatch(state, patch);
    if ((i + 1) % every === 0) frames.push(new Map(state));
  });
  return { ...raw, every, patches, frames, events: byEvent(raw.fields, raw.names.length) };
}

/** Which page shows a prefix: the one that holds its last event. */
export function pageOf(prefix, size) {
  return Math.max(0, Math.ceil(prefix / size) - 1);
}

/** The state at a prefix of an open page, as a new Map of path → text. */
export function stateAt(page, prefix) {
  const steps = prefix - page.start;
  const frame = Math.floor(steps / page.every);
  const state = new Map(page.frames[frame]);
  for (let i = frame * page.every; i < steps; i++) applyPatch(state, page.patches[i]);
  return state;
}

/** The rows of the state table at a prefix: what each value is, and what it was before the last event. */
export function rowsAt(page, prefix) {
  const before = stateAt(page, Math.max(page.start, prefix - 1));
  const patch = prefix > page.start ? page.patches[prefix - page.start - 1] : [];
  const after = applyPatch(new Map(before), patch);
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort((a, b) => a - b)
    .map((path) => {
      const [was, value] = [before.get(path), after.get(path)];
      return { path: page.paths[path], change: changeOf(was, value), value, was };
    });
}

function changeOf(was, value) {
  if (was === value) return "same";
  if (was === undefined) return "added";
  return value === undefined ? "removed" : "changed";
}

/** At most `limit` rows, the changed ones first to be kept, in their order; and how many are left out. */
export function limitRows(rows, limit) {
  let free = limit - rows.filter((row) => row.change !== "same").length;
  const kept = rows.filter((row) => row.change !== "same" || free-- > 0);
  return { kept, hidden: rows.length - kept.length };
}

/** A long text cut for showing, with its length. */
export function clip(text, limit = SHOWN_CHARACTERS) {
  if (text.length <= limit) return text;
  const half = /[\ud800-\udbff]$/.test(text.slice(0, limit)) ? 1 : 0;
  return `${text.slice(0, limit - half)}… (${grouped(text.length)} characters)`;
}

/** A whole number with its thousands apart. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A number of events in words. */
export function counted(number) {
  return `${grouped(number)} ${number === 1 ? "event" : "events"}`;
}

/** What an event changed, as a sentence to be heard. */
export function announce(prefix, name, rows, limit = 3) {
  if (prefix === 0) return "Before the first event.";
  const said = rows
    .filter((row) => row.change !== "same")
    .map(({ path, change, value, was }) =>
      change === "removed" ? `${path} removed, was ${clip(was, 60)}`
        : change === "added" ? `${path} added, ${clip(value, 60)}`
          : `${path} ${clip(value, 60)}, was ${clip(was, 60)}`);
  const more = said.length > limit ? `; and ${grouped(said.length - limit)} more` : "";
  return `Event ${grouped(prefix)}, ${name}: ${said.slice(0, limit).join("; ") || "nothing changed"}${more}.`;
}

/** Which of `count` rows a scrolled list shows, `[first, last)`, with a few to spare on both sides. */
export function visibleWindow(scroll, height, rowHeight, count, spare = 4) {
  const first = Math.max(0, Math.min(count, Math.floor(scroll / rowHeight) - spare));
  return [first, Math.min(count, Math.ceil((scroll + height) / rowHeight) + spare)];
}

/** How far to scroll so that a row is well inside the list; the row in the middle if it was not. */
export function scrollTo(row, scroll, height, rowHeight) {
  const top = row * rowHeight;
  const inside = top >= scroll + rowHeight && top + 2 * rowHeight <= scroll + height;
  return inside ? scroll : Math.max(0, top - (height - rowHeight) / 2);
}

/** Events from one tick of the ruler to the next: 1, 2 or 5 times a power of ten, `apart` or more pixels. */
export function tickStep(count, width, apart = 10) {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) if (step * width >= apart * count) return step;
  }
}

/** A label and the shape its glyph asks for. */
export function splitMark(label) {
  const shape = { "◆": "diamond", "▲": "triangle", "■": "square", "✗": "cross" }[label[0]];
  return { shape: shape ?? "dot", text: shape ? label.slice(1).trim() : label };
}

/** Where the marks of a ruler go: with words above or below it, else without words, else nowhere. */
export function layMarks(marks, count, width, character = 6.8, gap = 6) {
  const lanes = [[], []];
  const placed = [];
  const put = (mark, size, worded) => {
    const x = count ? (mark.event / count) * width : 0;
    const left = worded ? Math.max(0, Math.min(x - size / 2, width - size)) : x - size / 2;
    const free = ([from, to]) => left + size + gap <= from || to + gap <= left;
    const lane = lanes.findIndex((boxes) => boxes.every(free));
    if (lane < 0) return false;
    lanes[lane].push([left, left + size]);
    placed.push({ ...mark, x, left, lane, worded });
    return true;
  };
  const bare = marks.filter((mark) => !put(mark, 20 + mark.text.length * character, true));
  for (const mark of bare) put(mark, 14, false);
  return placed;
}

// ---- the view ----------------------------------------------------------------------------------------

function button(name, help) {
  return h("button", { type: "button", "data-do": name, "aria-label": name, title: help }, icon(name));
}

function message(shape, tone, title, ...lines) {
  return h("div", { class: `message ${tone}`, "data-part": "message" },
    h("p", { class: "title" }, icon(shape), h("span", {}, title)),
    ...lines.map((line) => h("p", { dir: "auto" }, line)));
}

function stateRow({ path, change, value, was }) {
  const old = h("s", { "data-part": "was", dir: "auto" }, clip(was ?? ""));
  const now = h("span", { "data-part": "is", dir: "auto" }, clip(value ?? ""));
  const shown = { same: [now], added: [now], changed: [old, " ", now], removed: [old] };
  const glyph = change === "same" ? [] : [icon(change), unseen(`${change} `)];
  return h("tr", { "data-path": path, "data-change": change }, h("th", { scope: "row" }, ...glyph, path),
    h("td", {}, ...shown[change]));
}

function stateTable(rows, label) {
  const { kept, hidden } = limitRows(rows, SHOWN_VALUES);
  const table = h("table", { "aria-label": label }, h("tbody", {}, ...kept.map(stateRow)));
  return hidden ? [table, h("p", { class: "quiet" }, `… and ${grouped(hidden)} more values`)] : [table];
}

function fieldTable(page, prefix) {
  const fields = page.events[prefix - page.start - 1];
  const body = h("tbody");
  for (let i = 0; i < fields.length; i += 2) {
    const cell = h("td", { dir: "auto" }, clip(fields[i + 1]));
    body.append(h("tr", {}, h("th", { scope: "row" }, page.keys[fields[i]]), cell));
  }
  return h("table", { "aria-label": `Event ${grouped(prefix)}` }, body);
}

/** The fixed parts of a view, by name. */
function build(head, end) {
  const parts = {
    slider: h("input", {
      type: "range", min: 0, max: end, step: 1,
      "aria-label": "prefix: how many events have happened", "data-part": "slider",
    }),
    typed: h("input", {
      type: "text", inputmode: "numeric", autocomplete: "off", "data-part": "typed",
    }),
    play: button("play", "play or pause (space)"),
    speed: h("button", { type: "button", "data-do": "speed", title: "speed of play" }),
    ends: [button("first", "first (Home)"), button("back", "back (←)")],
    ons: [button("forward", "forward (→)"), button("last", "last (End)")],
    drawing: svg("svg", { "aria-hidden": "true" }),
    stateHead: h("span"),
    code: h("code", { "data-part": "code" }),
    state: h("div", { "data-part": "state" }),
    eventHead: h("p", { class: "head" }),
    event: h("div", { "data-part": "event" }),
    rows: h("div", { role: "presentation" }),
    live: h("p", { class: "unseen", "aria-live": "polite", "data-part": "change" }),
  };
  const listbox = { role: "listbox", tabindex: 0, "aria-label": "events" };
  parts.list = h("div", { "data-part": "events", ...listbox }, parts.rows);
  parts.ruler = h("div", { class: "ruler" }, parts.drawing, parts.slider);
  const prefix = h("label", { class: "prefix" }, "prefix ", parts.typed, ` of ${grouped(head.count)}`);
  const name = { role: "group", "aria-label": head.title || "timeline", tabindex: -1 };
  parts.root = h("div", { class: "forge-figure forge-timeline", "data-count": head.count, ...name },
    ...(head.title ? [h("p", { class: "name", dir: "auto" }, head.title)] : []),
    h("div", { class: "bar" }, ...parts.ends, parts.play, ...parts.ons, parts.speed, prefix),
    parts.ruler,
    h("div", { class: "panels" },
      h("div", {}, h("p", { class: "head" }, parts.stateHead, parts.code), parts.state),
      h("div", {}, parts.eventHead, parts.event),
      h("div", {}, h("p", { class: "head" }, "Events"), parts.list)),
    parts.live);
  return parts;
}

/** Draw a view of `model` into `el`, and return what takes it away again. */
function render({ model, el }) {
  const head = model.get("head");
  const raw = model.get("pages");
  const end = head.refused ? head.last + 1 : head.count;
  // Random, because every view on a page may be drawn by a copy of this module of its own.
  const id = `forge-timeline-${Math.random().toString(36).slice(2)}`;
  const parts = build(head, end);
  const { root, slider, typed, list } = parts;
  const listHeight = Math.max(1, Math.min(head.count, SHOWN_EVENTS)) * ROW_HEIGHT;
  const stopped = new AbortController();
  const [opened, loading, failed] = [[], [], []];
  const marks = new Map(head.refused ? [[end, [splitMark("✗ refused")]]] : []);
  const clamp = (n) => Math.max(0, Math.min(end, n));
  let prefix = clamp(model.get("at"));
  let [width, scrolled, speed, playing, saying] = [0, 0, 0, 0, 0];

  const x = (n) => (end ? (n / end) * width : 0);
  const pageFor = (n) => opened[pageOf(n, head.page)];
  const nameOf = (n) => pageFor(n)?.names[n - pageFor(n).start - 1] ?? "…";

  function load(number) {
    return (loading[number] ??= open(number).catch((error) => {
      failed[number] = String(error);
      draw();
    }));
  }

  async function open(number) {
    const page = openPage(await decode(raw[number]));
    if (stopped.signal.aborted) return;
    opened[number] = page;
    for (const [event, ...labels] of page.marks) marks.set(event, labels.map(splitMark));
    drawRuler();
    if (pageFor(prefix) === page) draw();
    else drawList();
  }

  async function loadAll() {
    for (let number = 0; number < raw.length && !stopped.signal.aborted; number++) await load(number);
  }

  function go(n) {
    prefix = clamp(n);
    model.set("at", prefix);
    draw();
  }

  // The list first: scrolling asks for a layout, which is free as long as nothing else has changed.
  function draw() {
    drawList(true);
    drawPosition();
    const page = pageFor(prefix);
    if (!page) return drawMissing(pageOf(prefix, head.page));
    const rows = prefix > head.last ? [] : rowsAt(page, prefix);
    parts.state.replaceChildren(...stateParts(rows));
    parts.event.replaceChildren(...(prefix ? [fieldTable(page, prefix), markLine()] : []));
    root.dataset.prefix = prefix;
    say(prefix > head.last ? `Event ${grouped(prefix)} was refused.` : announce(prefix, nameOf(prefix), rows));
  }

  function drawMissing(number) {
    parts.state.replaceChildren(failed[number]
      ? message("cross", "broken", "These events could not be read", failed[number], "Run the cell again.")
      : message("notyet", "notyet", "Loading these events"));
    parts.event.replaceChildren();
    delete root.dataset.prefix;
    load(number);
  }

  function stateParts(rows) {
    const table = rows.length ? stateTable(rows, parts.stateHead.textContent) : [];
    if (!head.count) return [message("notyet", "notyet", "No event yet", "This history is empty."), ...table];
    if (prefix > head.last) {
      const last = `The last state is the one after ${counted(head.last)}.`;
      return [message("cross", "broken", `Event ${grouped(end)} was refused`, head.refused, last)];
    }
    const empty = prefix ? "The state holds nothing" : "No state yet";
    return rows.length ? table : [message("notyet", "notyet", empty)];
  }

  function markLine() {
    const found = marks.get(prefix) ?? [];
    return h("p", { class: "marks" }, ...found.map(({ shape, text }) => h("span", {}, icon(shape), text)));
  }

  function drawPosition() {
    slider.value = typed.value = prefix;
    const name = prefix ? `: ${nameOf(prefix)}` : "";
    slider.setAttribute("aria-valuetext", `after ${grouped(prefix)} of ${counted(head.count)}${name}`);
    parts.stateHead.textContent = prefix ? `State after ${counted(prefix)}` : "State before the first event";
    parts.eventHead.textContent = prefix ? `Event ${grouped(prefix)}` : "No event";
    parts.code.textContent = `history.at(${prefix})`;
    parts.passed.setAttribute("d", ticks(prefix));
    // Not `disabled`: a button that is pressed until the end must keep the focus.
    for (const element of parts.ends) element.setAttribute("aria-disabled", prefix === 0);
    for (const element of parts.ons) element.setAttribute("aria-disabled", prefix === end);
  }

  function ticks(upTo) {
    const step = end && width ? tickStep(end, width) : 1;
    let path = `M0 0H${x(upTo)}`;
    for (let n = 0; n <= upTo && width; n += step) path += `M${x(n)} -5V5`;
    return path;
  }

  function drawRuler() {
    width = Math.max(0, slider.clientWidth - THUMB);
    const flat = [...marks].flatMap(([event, found]) => found.map((mark) => ({ event, ...mark })));
    const placed = layMarks(flat.sort((a, b) => a.event - b.event), end, width);
    const above = placed.some(({ lane }) => lane === 0) ? 20 : 0;
    const below = placed.some(({ lane }) => lane === 1) ? 20 : 0;
    slider.style.top = `${above}px`;
    parts.ruler.style.height = `${above + 24 + below}px`;
    parts.passed = svg("path", { class: "passed", d: ticks(prefix) });
    parts.drawing.replaceChildren(svg("g", { transform: `translate(${THUMB / 2} ${above + 12})` },
      svg("path", { class: "track", d: ticks(end) }), parts.passed, ...placed.map(markShape)));
  }

  function markShape({ event, shape, text, x: at, lane, left, worded }) {
    const side = lane ? 1 : -1;
    const stem = svg("path", { class: "stem", d: `M${at} ${6 * side}V${10 * side}` });
    const words = worded ? [svg("text", { x: left + 18, y: 18 * side + 4 }, text)] : [];
    const title = svg("title", {}, `${grouped(event)}: ${text}`);
    const glyph = icon(shape, { x: left, y: 18 * side - 7 });
    return svg("g", { class: `mark ${shape}`, "data-mark": event }, title, stem, glyph, ...words);
  }

  function drawList(follow = false) {
    if (follow) {
      const to = prefix ? scrollTo(prefix - 1, scrolled, listHeight, ROW_HEIGHT) : 0;
      if (to !== scrolled) list.scrollTop = scrolled = Math.min(to, head.count * ROW_HEIGHT - listHeight);
    }
    const [from, until] = visibleWindow(scrolled, listHeight, ROW_HEIGHT, head.count);
    const rows = [];
    for (let n = from + 1; n <= until; n++) rows.push(option(n));
    parts.rows.style.paddingTop = `${from * ROW_HEIGHT}px`;
    parts.rows.replaceChildren(...rows);
    if (from < prefix && prefix <= until) list.setAttribute("aria-activedescendant", `${id}-${prefix}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function option(n) {
    const place = { "aria-setsize": head.count, "aria-posinset": n, "aria-selected": n === prefix };
    const when = n === prefix ? "now" : n > prefix ? "later" : "past";
    const found = marks.get(n) ?? [];
    return h("div", { role: "option", id: `${id}-${n}`, "data-event": n, class: when, ...place },
      h("span", { class: "number" }, grouped(n)),
      h("span", { class: "label", dir: "auto" }, nameOf(n)),
      ...found.flatMap(({ shape, text }) => [icon(shape), unseen(text)]));
  }

  function say(sentence) {
    clearTimeout(saying);
    if (!playing) saying = setTimeout(() => (parts.live.textContent = sentence), ANNOUNCE_AFTER);
  }

  function play(start) {
    clearTimeout(playing);
    playing = 0;
    if (start && prefix === end) go(0);
    if (start && end) playing = setTimeout(tick, PLAY_EVERY / SPEEDS[speed]);
    const name = playing ? "pause" : "play";
    parts.play.replaceChildren(icon(name));
    parts.play.setAttribute("aria-label", name);
    root.toggleAttribute("data-playing", playing !== 0);
  }

  function tick() {
    if (prefix + 1 >= end) play(false);
    go(prefix + 1);
    if (playing) play(true);
  }

  function changeSpeed(to) {
    speed = to % SPEEDS.length;
    parts.speed.textContent = `${SPEEDS[speed]}×`;
    parts.speed.setAttribute("aria-label", `speed ${SPEEDS[speed]} times`);
  }

  function jump(n) {
    play(false);
    go(n);
  }

  function commit() {
    const text = typed.value.replace(/[\s,]/g, "");
    jump(/^\d+$/.test(text) ? Number(text) : prefix);
  }

  const actions = {
    first: () => jump(0),
    back: () => jump(prefix - 1),
    play: () => play(!playing),
    forward: () => jump(prefix + 1),
    last: () => jump(end),
    speed: () => changeSpeed(speed + 1),
  };

  // No plain key may reach the notebook: its command mode deletes the cell on d d. Shift+Enter still runs it.
  function press(event) {
    if (isNotebooks(event)) return;
    event.stopPropagation();
    const typing = event.target === typed;
    if (event.shiftKey || (typing && EDITING.has(event.key))) return;
    const inList = list.contains(event.target) ? [-1, -SHOWN_EVENTS] : [];
    const to = moveBy(event.key, prefix, end, ...inList);
    if (to !== null) jump(to);
    else if (typing && event.key === "Enter") commit();
    else if (event.key === " " && !event.target.closest("button")) play(!playing);
    else return;
    event.preventDefault();
  }

  function click(event) {
    const { dataset } = event.target.closest("[data-do], [data-event], [data-mark]") ?? { dataset: {} };
    if (dataset.do) actions[dataset.do]();
    else if (dataset.event ?? dataset.mark) jump(Number(dataset.event ?? dataset.mark));
  }

  function scroll() {
    if (!list.clientHeight || list.scrollTop === scrolled) return;
    scrolled = list.scrollTop;
    drawList();
  }

  // Also when the notebook puts the view back into the page, which sets every scroll position to 0.
  function fit() {
    if (list.scrollTop !== scrolled) list.scrollTop = scrolled;
    if (slider.clientWidth - THUMB !== width) drawRuler();
  }

  function followModel() {
    if (clamp(model.get("at")) !== prefix) jump(model.get("at"));
  }

  const listeners = [
    [root, "keydown", press], [root, "click", click], [slider, "input", () => jump(Number(slider.value))],
    [typed, "change", commit], [typed, "focus", () => typed.select()], [list, "scroll", scroll],
  ];
  const { signal } = stopped;
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener, { signal });
  model.on("change:at", followModel);
  const resized = new ResizeObserver(fit);
  resized.observe(root);

  list.style.height = `${listHeight}px`;
  parts.rows.style.height = `${head.count * ROW_HEIGHT}px`;
  changeSpeed(0);
  drawRuler();
  draw();
  el.append(root);
  loadAll();

  return () => {
    stopped.abort();
    clearTimeout(playing);
    clearTimeout(saying);
    resized.disconnect();
    model.off("change:at", followModel);
    root.remove();
  };
}

export default { render };
