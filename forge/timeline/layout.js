// Where things go: rows of a list, ticks and marks of a ruler.

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

/** The path of a ruler of `end` events over `width` pixels, drawn up to one of them, with its ticks. */
export function rulerPath(upTo, end, width) {
  const x = (n) => (end ? Math.round((n / end) * width * 10) / 10 : 0);
  let path = `M0 0H${x(upTo)}`;
  if (!width) return path;
  const step = end ? tickStep(end, width) : 1;
  for (let n = 0; n <= upTo; n += step) path += `M${x(n)} -5V5`;
  return path;
}

/** Of marks in the order of their events, those that can be told apart on so many pixels: two a pixel. */
export function thinMarks(marks, count, pixels) {
  const kept = [];
  let [pixel, held] = [-1, 0];
  for (const mark of marks) {
    const at = count ? Math.floor((mark.event / count) * pixels) : 0;
    held = at === pixel ? held + 1 : 0;
    pixel = at;
    if (held < 2) kept.push(mark);
  }
  return kept;
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

/** The parts of the chain strip, as [mark, from, to] in prefixes: what holds, and what does not. */
export function trustParts(trust, end) {
  if (!trust) return [];
  const holds = Math.min(trust.count, end);
  const rest = trust.broken ? "broken" : "notyet";
  return [["holds", 0, holds], [rest, holds, end]].filter(([, from, to]) => from < to);
}
