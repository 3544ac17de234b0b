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

function rowsTable(rows, label, draw, ...head) {
  const { kept, hidden } = limitRows(rows, SHOWN_VALUES);
  const table = h("table", { "aria-label": label }, ...head, h("tbody", {}, ...kept.map(draw)));
  return hidden ? [table, h("p", { class: "quiet" }, `… and ${grouped(hidden)} more values`)] : [table];
}

/** A state, with what its last event changed. */
function stateTable(rows, prefix) {
  if (rows.length) return rowsTable(rows, stateTitle(prefix), stateRow);
  return [message("notyet", "notyet", prefix ? "The state holds nothing" : "No state yet")];
}

/** Two states side by side. */
function differenceTable(rows, from, to) {
  const column = (prefix) => h("th", { scope: "col" }, `after ${grouped(prefix)}`);
  const head = h("thead", {}, h("tr", {}, h("td"), column(from), column(to)));
  return rowsTable(rows, `Prefix ${grouped(from)} beside prefix ${grouped(to)}`, differenceRow, head);
}

function fieldTable(fields, number) {
  const rows = fields.map(([key, value]) => h("tr", {}, h("th", { scope: "row" }, key), text("td", "field", value)));
  return h("table", { "aria-label": `Event ${grouped(number)}` }, h("tbody", {}, ...rows));
}

function markLine(marks) {
  return h("p", { class: "marks" }, ...marks.map(({ shape, text }) => h("span", {}, icon(shape), text)));
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
