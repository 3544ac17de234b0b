// The list of events, drawn only as far as it is visible.

const ROW_HEIGHT = 24;
const SHOWN_EVENTS = 9;
// A browser cannot lay out an element of any height; what lies beyond is reached by moving the prefix.
const LISTED = 400_000;

/** Where a list of at most `listed` of `count` rows begins, so that row `number` is well inside. */
export function listBase(base, number, count, listed = LISTED) {
  const margin = Math.min(1000, Math.floor(listed / 4));
  const inside = number > base + (base ? margin : 0) && number <= base + listed - margin;
  const start = inside ? base : number - Math.floor(listed / 2);
  return Math.max(0, Math.min(start, count - listed));
}

/** The list of a view; `source` tells `count()`, `name(n)` and `marks(n)` of its events. */
function openList({ list, rows }, source) {
  // Random, because every view on a page may be drawn by a copy of this module of its own.
  const id = `forge-timeline-${Math.random().toString(36).slice(2)}`;
  let [base, scrolled, height, shown] = [0, 0, 0, 0];

  function option([n, when, name, marks, untrusted]) {
    const place = { "aria-setsize": source.count(), "aria-posinset": n, "aria-selected": when === "now" };
    const note = untrusted ? [unseen("not trusted")] : [];
    return h("div", { role: "option", id: `${id}-${n}`, "data-event": n, class: `${when} ${untrusted}`, ...place },
      h("span", { class: "number" }, grouped(n)), ...note,
      h("span", { class: "label", dir: "auto" }, name),
      ...marks.flatMap(({ shape, text }) => [icon(shape), unseen(text)]));
  }

  function itemOf(n) {
    const when = n === shown ? "now" : n > shown ? "later" : "past";
    return [n, when, clip(source.name(n), 200), source.marks(n), source.trusted(n) ? "" : "untrusted"];
  }

  function size() {
    const count = source.count();
    height = Math.max(1, Math.min(count, SHOWN_EVENTS)) * ROW_HEIGHT;
    list.style.height = `${height}px`;
    rows.style.height = `${Math.min(count, LISTED) * ROW_HEIGHT}px`;
  }

  function draw() {
    const length = Math.min(source.count(), LISTED);
    const [from, until] = visibleWindow(scrolled, height, ROW_HEIGHT, length);
    const items = [];
    for (let n = base + from + 1; n <= base + until; n++) items.push(itemOf(n));
    rows.style.paddingTop = `${from * ROW_HEIGHT}px`;
    const key = ([n, when, name, marks, trust]) => [n, when, name, trust, source.count(), ...marks.map(({ text }) => text)].join("\n");
    showItems(rows, items, key, option);
    const seen = base + from < shown && shown <= base + until;
    if (seen) list.setAttribute("aria-activedescendant", `${id}-${shown}`);
    else list.removeAttribute("aria-activedescendant");
  }

  /** Show event `n`, scrolled to where it can be seen. */
  function follow(n) {
    shown = n;
    const start = listBase(base, Math.max(1, n), source.count());
    scrolled -= (start - base) * ROW_HEIGHT;
    base = start;
    const most = Math.max(0, Math.min(source.count(), LISTED) * ROW_HEIGHT - height);
    const to = n ? scrollTo(n - base - 1, scrolled, height, ROW_HEIGHT) : 0;
    scrolled = Math.max(0, Math.min(to, most));
    if (list.scrollTop !== scrolled) list.scrollTop = scrolled;
    draw();
  }

  function scroll() {
    if (!list.clientHeight || list.scrollTop === scrolled) return;
    scrolled = list.scrollTop;
    draw();
  }

  // When the notebook puts the view back into the page, every scroll position is 0.
  function fit() {
    if (list.scrollTop !== scrolled) list.scrollTop = scrolled;
  }

  return { size, draw, follow, scroll, fit };
}
