// The ruler: ticks, how far the prefix has come, marks, the chain strip, and where a compared prefix stands.

/** A ruler in its parts. `draw` draws it anew, `move` only how far the prefix has come. */
function openRuler({ slider, drawing, ruler }) {
  const passed = svg("path", { class: "passed" });
  const pin = svg("path", { class: "pinned", d: "" });
  let [width, end] = [0, 0];
  const x = (n) => (end ? (n / end) * width : 0);

  function markShape({ event, shape, text, x: at, lane, left, worded }) {
    const side = lane ? 1 : -1;
    const stem = svg("path", { class: "stem", d: `M${at} ${6 * side}V${10 * side}` });
    const words = worded ? [svg("text", { x: left + 18, y: 18 * side + 4 }, text)] : [];
    const title = svg("title", {}, `${grouped(event)}: ${text}`);
    const glyph = icon(shape, { x: left, y: 18 * side - 7 });
    return svg("g", { class: `mark ${shape}`, "data-mark": event }, title, stem, glyph, ...words);
  }

  function strip([mark, from, to]) {
    return svg("rect", { class: `strip ${mark}`, x: x(from), y: 10, width: x(to) - x(from), height: 3 });
  }

  function draw(marks, trust, last) {
    end = last;
    width = Math.max(0, slider.clientWidth - THUMB);
    const placed = layMarks(thinMarks(marks, end, width), end, width);
    const above = placed.some(({ lane }) => lane === 0) ? 20 : 0;
    const below = placed.some(({ lane }) => lane === 1) ? 20 : 0;
    slider.style.top = `${above}px`;
    ruler.style.height = `${above + 24 + below}px`;
    const track = svg("path", { class: "track", d: rulerPath(end, end, width) });
    drawing.replaceChildren(svg("g", { transform: `translate(${THUMB / 2} ${above + 12})` },
      track, ...trustParts(trust, end).map(strip), passed, pin, ...placed.map(markShape)));
  }

  function move(prefix, pinned) {
    passed.setAttribute("d", rulerPath(prefix, end, width));
    pin.setAttribute("d", pinned === null ? "" : `M${x(pinned)} -9V9`);
  }

  return { draw, move, fits: () => slider.clientWidth - THUMB === width };
}
