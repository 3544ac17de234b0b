// Pages of a history: from the bytes that were sent to the state, the event and the changes at any prefix.
// A page is a keyframe and, per path, a column of what the events set it to. All values are text.

/** The JSON in gzip bytes. */
export async function decode(bytes) {
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** A text with its last number so much higher, as wide as before. */
export function countUp(text, by) {
  return text.replace(/([0-9]{1,15})([^0-9]*)$/, (_, digits, rest) =>
    String(Number(digits) + by).padStart(digits.length, "0") + rest);
}

const REMOVED = -1;

/** Entries as codes: the number of a word, REMOVED, or -1 - n for n entries of counting up before it. */
export function openEntries(entries) {
  const codes = new Int32Array(entries.length);
  let word = 0;
  entries.forEach((entry, i) => {
    if (entry === null) codes[i] = REMOVED;
    else if (entry === true) codes[i] = (codes[i - 1] < REMOVED ? codes[i - 1] : REMOVED) - 1;
    else codes[i] = word += entry;
  });
  return codes;
}

/** The text of entry `i`, or undefined where the value was removed. */
export function textAt(words, codes, i) {
  const code = codes[i];
  if (code >= 0) return words[code];
  const up = REMOVED - code;
  return up ? countUp(words[codes[i - up]], up) : undefined;
}

function openColumn([gaps, entries]) {
  let place = 0;
  return { places: Int32Array.from(gaps, (gap) => (place += gap)), codes: openEntries(entries) };
}

/** How many of the rising `places` are below `limit`. */
export function countBelow(places, limit) {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (places[middle] < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** A decoded page made seekable. */
export function openPage(raw) {
  return {
    ...raw,
    keyframe: openEntries(raw.keyframe),
    changes: raw.changes.map(openColumn),
    fields: raw.fields.map(openColumn),
    names: openEntries(raw.names),
    marks: new Map(raw.marks.map(([event, ...labels]) => [event, labels])),
    kind: raw.keys.indexOf("kind"),
  };
}

/** Which page shows a prefix: the one that holds its last event. */
export function pageOf(prefix, size) {
  return Math.max(0, Math.ceil(prefix / size) - 1);
}

function valueAfter(page, path, steps) {
  const { places, codes } = page.changes[path];
  const set = countBelow(places, steps);
  return set ? textAt(page.words, codes, set - 1) : textAt(page.words, page.keyframe, path);
}

/** The state at a prefix of a page: a Map from path to text, in the order in which it is shown. */
export function stateAt(page, prefix) {
  const state = new Map();
  page.paths.forEach((path, i) => {
    const value = valueAfter(page, i, prefix - page.start);
    if (value !== undefined) state.set(path, value);
  });
  return state;
}

/** The rows of the state table at a prefix: what each value is, and what it was before the last event. */
export function rowsAt(page, prefix) {
  return diffRows(stateAt(page, Math.max(page.start, prefix - 1)), stateAt(page, prefix), page.paths);
}

/** The rows that two states have, in the order of `paths`; those not among them stand at the end. */
export function diffRows(before, after, paths) {
  const rows = [];
  for (const path of new Set([...paths, ...before.keys(), ...after.keys()])) {
    const [was, value] = [before.get(path), after.get(path)];
    if (was !== undefined || value !== undefined) rows.push({ path, change: changeOf(was, value), value, was });
  }
  return rows;
}

function changeOf(was, value) {
  if (was === value) return "same";
  if (was === undefined) return "added";
  return value === undefined ? "removed" : "changed";
}

/** What event `number`, counted from 1 in the whole history, is called. */
export function nameAt(page, number) {
  return textAt(page.words, page.names, number - page.start - 1);
}

function fieldAt(page, key, number) {
  const { places, codes } = page.fields[key];
  const place = number - page.start - 1;
  const found = countBelow(places, place);
  return places[found] === place ? textAt(page.words, codes, found) : undefined;
}

/** What an event holds, as [key, text] pairs. */
export function fieldsAt(page, number) {
  return page.keys.map((key, i) => [key, fieldAt(page, i, number)]).filter(([, text]) => text !== undefined);
}

/** The kind of an event: its field of that name, else what it is called. */
export function kindAt(page, number) {
  return (page.kind < 0 ? undefined : fieldAt(page, page.kind, number)) ?? nameAt(page, number);
}
