// Finding events in a page: by a kind, by a mark, by text.

/** What of an event is searched: its name, what it holds, its marks; in lower case. */
function searched(page, number) {
  const fields = fieldsAt(page, number).map(([key, text]) => `${key} ${text}`);
  return [nameAt(page, number), ...fields, ...(page.marks.get(number) ?? [])].join("\n").toLowerCase();
}

/** Whether an event is what was asked for: `kind` and `mark` or null, `text` in lower case or "". */
export function matches(page, number, { kind, mark, text }) {
  return (kind === null || kindAt(page, number) === kind)
    && (mark === null || (page.marks.get(number) ?? []).includes(mark))
    && (text === "" || searched(page, number).includes(text));
}

/** The first event of a page that matches, from event `from` on towards `step` (1 or -1); null if none does. */
export function findIn(page, from, step, wanted) {
  const [first, last] = [page.start + 1, page.start + page.names.length];
  let number = step > 0 ? Math.max(from, first) : Math.min(from, last);
  for (; first <= number && number <= last; number += step) if (matches(page, number, wanted)) return number;
  return null;
}

/** Add the kinds and the marks that the events of a page have; beyond `limit` of them they are no help. */
export function collectKinds(page, kinds, marks, limit) {
  const last = page.start + page.names.length;
  for (let number = page.start + 1; number <= last && kinds.size <= limit; number++) kinds.add(kindAt(page, number));
  for (const label of [...page.marks.values()].flat()) if (marks.size <= limit) marks.add(label);
}
