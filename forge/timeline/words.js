// What a timeline says, in words.

const SHOWN_CHARACTERS = 600;

/** At most `limit` rows, the changed ones first to be kept, in their order; and how many are left out. */
export function limitRows(rows, limit) {
  let changed = limit;
  let free = limit - rows.filter((row) => row.change !== "same").length;
  const kept = rows.filter((row) => (row.change === "same" ? free-- > 0 : changed-- > 0));
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

/** A prefix as a heading. */
export function stateTitle(prefix) {
  return prefix ? `State after ${counted(prefix)}` : "State before the first event";
}

function changed({ path, change, value, was }) {
  if (change === "removed") return `${path} removed, was ${clip(was, 60)}`;
  return change === "added" ? `${path} added, ${clip(value, 60)}` : `${path} ${clip(value, 60)}, was ${clip(was, 60)}`;
}

function changes(rows, none, limit = 3) {
  const said = rows.filter((row) => row.change !== "same").map(changed);
  const more = said.length > limit ? `; and ${grouped(said.length - limit)} more` : "";
  return `${said.slice(0, limit).join("; ") || none}${more}`;
}

/** What an event changed, as a sentence to be heard. */
export function announce(prefix, name, rows) {
  if (prefix === 0) return "Before the first event.";
  return `Event ${grouped(prefix)}, ${name}: ${changes(rows, "nothing changed")}.`;
}

/** What differs between two prefixes, as a sentence to be heard. */
export function announceDifference(from, to, rows) {
  return `From prefix ${grouped(from)} to ${grouped(to)}: ${changes(rows, "no difference")}.`;
}

/** The line of Python that reproduces a view. */
export function codeOf(prefix, pinned) {
  return pinned === null ? `history.at(${prefix})` : `history.diff(${pinned}, ${prefix})`;
}

/** Whether a log can be trusted up to a prefix: how it is marked, and in words; null where there is no log. */
export function trustAt(trust, prefix, count) {
  if (!trust) return null;
  if (prefix <= trust.count) return ["holds", `chain holds to ${grouped(Math.min(trust.count, count))}`];
  if (trust.broken) return ["broken", `trust ends at record ${grouped(trust.count + 1)}`];
  return ["notyet", `the log holds ${grouped(trust.count)} records`];
}

/** A typed prefix: a whole number, thousands apart or not; null for anything else. */
export function typedNumber(text) {
  const plain = text.replace(/[\s,]/g, "");
  return /^\d{1,15}$/.test(plain) ? Number(plain) : null;
}

/** A label and the shape its glyph asks for. */
export function splitMark(label) {
  const shape = { "◆": "diamond", "▲": "triangle", "■": "square", "✗": "cross" }[label[0]];
  return { shape: shape ?? "dot", text: shape ? label.slice(1).trim() : label };
}
