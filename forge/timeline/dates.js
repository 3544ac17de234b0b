// The second axis: rectangles over prefix and business date. A row is in force where the point lies in its
// rectangle, [prefix from, to) × [date from, to); a side that is null is open. Days are numbers.

const EPOCH = 719163; // the day 1970-01-01, counted from 0001-01-01 as day 1
const SIDES = ["known from", "known until", "in force from", "in force until"];

/** A day as text: 2026-10-14. */
export function dayText(day) {
  return new Date((day - EPOCH) * 86_400_000).toISOString().slice(0, 10);
}

/** A text such as 2026-10-14 as a day; null for anything else. */
export function dayOf(text) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return Number.isNaN(time) ? null : time / 86_400_000 + EPOCH;
}

/** Rectangles as they were sent, by name. */
export function openRectangles({ rows, rectangles, ...rest }) {
  return {
    ...rest,
    rectangles: rectangles.map(([row, values, prefixes, days, edges], order) =>
      ({ row: rows[row], values, prefixes, days, edges, order })),
  };
}

function within(value, [from, to]) {
  return (from === null || from <= value) && (to === null || value < to);
}

/** The rectangles in force at a point. */
export function inForce(rectangles, prefix, day) {
  return rectangles.filter(({ prefixes, days }) => within(prefix, prefixes) && within(day, days));
}

/** The rows in force at a point, and those that the last event ended; each with what that event did to it. */
export function rowsInForce(rectangles, prefix, day) {
  const now = inForce(rectangles, prefix, day);
  const before = prefix ? new Set(inForce(rectangles, prefix - 1, day)) : new Set(now);
  const rows = (found) => new Set([...found].map(({ row }) => row));
  const [here, there] = [rows(now), rows(before)];
  const change = (found) => (before.has(found) ? "same" : there.has(found.row) ? "changed" : "added");
  return [
    ...now.map((found) => ({ ...found, change: change(found) })),
    ...[...before].filter(({ row }) => !here.has(row)).map((found) => ({ ...found, change: "removed" })),
  ].sort((a, b) => a.order - b.order);
}

/** Where a rectangle is drawn: from half a step before its first point to half a step after its last. */
export function boxOf({ prefixes, days }, { end, first, last, width, height }) {
  const x = (prefix) => (prefix / (end + 1)) * width;
  const y = (day) => height - ((day - first) / (last - first + 1)) * height;
  return {
    left: x(prefixes[0]), right: x(prefixes[1] ?? end + 1), bottom: y(days[0] ?? first), top: y(days[1] ?? last + 1),
  };
}

/** Where the names of boxes are written, inside their box and over no other name: [x, y], or null for no room. */
export function labelPlaces(boxes, names) {
  const placed = [];
  return boxes.map(({ left, right, top, bottom }, i) => {
    const [from, to] = [left + 6, left + 12 + names[i].length * 7];
    if (right < to) return null;
    for (let y = top + 14; y < bottom - 3; y += 15) {
      if (placed.some((one) => Math.abs(one.y - y) < 15 && from < one.to && one.from < to)) continue;
      placed.push({ from, to, y });
      return [from, y];
    }
    return null;
  });
}

/** Where a point is drawn: in the middle of its step. */
export function placeOf(prefix, day, { end, first, last, width, height }) {
  return [((prefix + 0.5) / (end + 1)) * width, height - ((day - first + 0.5) / (last - first + 1)) * height];
}

/** The point, [prefix, day], that is drawn at a place. */
export function pointAt(x, y, { end, first, last, width, height }) {
  const clamp = (value, from, to) => Math.max(from, Math.min(to, Math.floor(value)));
  const up = (height - y) / height;
  return [clamp((x / width) * (end + 1), 0, end), clamp(first + up * (last - first + 1), first, last)];
}

/** The edge that an event drew nearest to a place, as [rectangle, side]; null when none is within `reach`. */
export function edgeAt(rectangles, x, y, scale, reach = 5) {
  let [found, least] = [null, reach];
  for (const rectangle of rectangles) {
    const { left, right, top, bottom } = boxOf(rectangle, scale);
    const beside = top - reach <= y && y <= bottom + reach;
    const over = left - reach <= x && x <= right + reach;
    const away = [beside && x - left, beside && x - right, over && y - bottom, over && y - top];
    away.forEach((distance, side) => {
      if (distance === false || Math.abs(distance) > least || rectangle.edges[side] === null) return;
      [found, least] = [[rectangle, side], Math.abs(distance)];
    });
  }
  return found;
}

/** Which event drew an edge, as a sentence. */
export function edgeSentence({ row, edges }, side, name) {
  return `${row}, ${SIDES[side]}: drawn by event ${grouped(edges[side])}, ${name}.`;
}
