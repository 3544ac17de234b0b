// What the panels hold: tables of a state, of a difference, of an event, and messages in their place.

const SHOWN_VALUES = 200;

function message(shape, tone, title, ...lines) {
  return h("div", { class: `message ${tone}`, "data-part": "message" },
    h("p", { class: "title" }, icon(shape), h("span", {}, title)),
    ...lines.map((line) => h("p", { dir: "auto" }, line)));
}

function button(name, help) {
  return h("button", { type: "button", "data-do": name, "aria-label": name, title: help }, icon(name));
}

function text(tag, part, value) {
  return h(tag, { "data-part": part, dir: "auto" }, clip(value ?? ""));
}

function rowHead({ path, change }) {
  const glyph = change === "same" ? [] : [icon(change), unseen(`${change} `)];
  return h("th", { scope: "row" }, ...glyph, path);
}

function stateRow(row) {
  const [old, now] = [text("s", "was", row.was), text("span", "is", row.value)];
  const shown = { same: [now], added: [now], changed: [old, " ", now], removed: [old] };
  return h("tr", { "data-path": row.path, "data-change": row.change }, rowHead(row), h("td", {}, ...shown[row.change]));
}

function differenceRow(row) {
  const sides = [text("td", "was", row.was), text("td", "is", row.value)];
  return h("tr", { "data-path": row.path, "data-change": row.change }, rowHead(row), ...sides);
}

const drawn = new WeakMap();

/** Show items in `parent`, drawing only those that are not there yet; `key` tells apart all that an item shows. */
function showItems(parent, items, key, draw) {
  const [before, now] = [drawn.get(parent) ?? new Map(), new Map()];
  for (const item of items) now.set(key(item), before.get(key(item)) ?? draw(item));
  for (const [name, node] of before) if (!now.has(name)) node.remove();
  let place = parent.firstChild;
  for (const node of now.values()) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  drawn.set(parent, now);
}

/** Put nodes into `parent`, and leave it alone when they are what it holds. */
function put(parent, ...nodes) {
  const same = parent.childNodes.length === nodes.length && nodes.every((node, i) => node === parent.childNodes[i]);
  if (!same) parent.replaceChildren(...nodes);
}

/** A table that stays from one state to the next: a function of its rows, its name and its head. */
function openTable(draw) {
  const [head, body] = [h("thead"), h("tbody")];
  const [table, note] = [h("table", {}, head, body), h("p", { class: "quiet" })];
  return (rows, label, ...columns) => {
    const { kept, hidden } = limitRows(rows, SHOWN_VALUES);
    table.setAttribute("aria-label", label);
    head.replaceChildren(...columns);
    showItems(body, kept, ({ path, change, was, value }) => [path, change, was, value].join("\n"), draw);
    note.textContent = `… and ${grouped(hidden)} more values`;
    return hidden ? [table, note] : [table];
  };
}

/** The tables of a view: of a state with what its last event changed, of two states side by side, of an event. */
function openTables() {
  const [state, difference, event] = [stateRow, differenceRow, fieldRow].map(openTable);
  const column = (prefix) => h("th", { scope: "col" }, `after ${grouped(prefix)}`);
  return {
    state: (rows, prefix) => (rows.length ? state(rows, stateTitle(prefix))
      : [message("notyet", "notyet", prefix ? "The state holds nothing" : "No state yet")]),
    difference: (rows, from, to) => difference(rows, `Prefix ${grouped(from)} beside prefix ${grouped(to)}`,
      h("tr", {}, h("td"), column(from), column(to))),
    event: (fields, number) => event(fields.map(([path, value]) => ({ path, change: "same", value })), `Event ${grouped(number)}`),
  };
}

function fieldRow({ path, value }) {
  return h("tr", {}, h("th", { scope: "row" }, path), text("td", "field", value));
}

function markLine(marks) {
  const shown = marks.map(({ shape, text }) => h("span", {}, icon(shape), text));
  return marks.length ? [h("p", { class: "marks" }, ...shown)] : [];
}

function trustLine([mark, words]) {
  return [icon(mark === "broken" ? "cross" : mark), h("span", {}, words)];
}

/** In place of a state: why there is none from here on. */
function stopMessage({ title, reason }, last) {
  const before = last ? `The last state is the one after ${counted(last)}.` : "There is no state before it.";
  return message("cross", "broken", title, reason, before);
}

/** In place of a state: that its page is not there. */
function missingMessage(failure, answerless) {
  if (failure) return message("cross", "broken", "These events could not be read", failure, "Run the cell again.");
  return answerless
    ? message("notyet", "notyet", "These events are not loaded", "The kernel does not answer. Run the cell again.")
    : message("notyet", "notyet", "Loading these events");
}
