// The view of the second axis: a slider for the business date, the canvas, and the rows in force.

const CANVAS_HEIGHT = 160;
const BELOW_CANVAS = 20;
const BESIDE_CANVAS = 88;

function dateParts() {
  return {
    date: h("input", { type: "text", autocomplete: "off", "data-part": "date", "aria-label": "business date" }),
    days: h("input", { type: "range", step: 1, "data-part": "days", "aria-label": "business date, day by day" }),
    canvas: svg("svg", { "data-part": "canvas", "aria-hidden": "true", height: CANVAS_HEIGHT + BELOW_CANVAS }),
    edge: h("p", { class: "quiet", "data-part": "edge" }),
    rows: h("div", { "data-part": "rows" }),
  };
}

function boxPath({ left, right, top, bottom }) {
  return `M${left.toFixed(1)} ${top.toFixed(1)}H${right.toFixed(1)}V${bottom.toFixed(1)}H${left.toFixed(1)}Z`;
}

/** The rectangles and the axes, as what of them stays and what moves with the point. */
function drawCanvas(rectangles, scale) {
  const { width, height, first, last } = scale;
  const boxes = rectangles.map((rectangle) => boxOf(rectangle, scale));
  const names = rectangles.map(({ row }) => row);
  const labels = labelPlaces(boxes, names).flatMap((place, i) =>
    place ? [svg("text", { x: place[0], y: place[1] }, names[i])] : []);
  const axis = (x, y, text) => svg("text", { class: "axis", x, y }, text);
  const moving = {
    here: svg("path", { class: "here" }),
    lines: svg("path", { class: "cross-lines" }),
    point: svg("circle", { class: "point", r: 5 }),
    prefix: svg("text", { class: "at", y: height + 15, "text-anchor": "middle" }),
    day: svg("text", { class: "at", x: -8, "text-anchor": "end" }),
  };
  const drawing = svg("g", { transform: `translate(${BESIDE_CANVAS} 0)` },
    svg("path", { class: "frame", d: `M0 0H${width}V${height}H0Z` }),
    svg("path", { class: "boxes", d: boxes.map(boxPath).join("") }), moving.here, ...labels,
    axis(-BESIDE_CANVAS, 10, dayText(last)), axis(-BESIDE_CANVAS, height, dayText(first)),
    axis(0, height + 15, "events known →"), moving.lines, moving.point, moving.prefix, moving.day);
  return { drawing, moving };
}

function sideCell({ prefixes, days, edges, order }, side) {
  const value = side < 2 ? prefixes[side] : days[side - 2];
  if (value === null) return "–";
  const text = side < 2 ? grouped(value) : dayText(value);
  const name = { "data-edge": `${order} ${side}`, title: "which event drew this edge" };
  return edges[side] === null ? text : h("button", { type: "button", ...name }, text);
}

function rowInForce(one) {
  return h("tr", { "data-row": one.row, "data-change": one.change },
    rowHead({ path: one.row, change: one.change }),
    text("td", "values", one.values.map(([key, value]) => `${key} ${value}`).join(", ")),
    ...SIDES.map((_, side) => h("td", {}, sideCell(one, side))));
}

/** A table in `place` of the rows in force that stays from one point to the next: a function of them and the point. */
function openRowTable(place) {
  const heads = ["row", "values", ...SIDES].map((name) => h("th", { scope: "col" }, name));
  const [caption, body, note] = [h("caption"), h("tbody"), h("p", { class: "quiet" })];
  const none = h("tr", {}, h("td", { colspan: 6 }, "nothing is in force"));
  place.append(h("table", {}, caption, h("thead", {}, h("tr", {}, ...heads)), body), note);
  return (found, day, prefix) => {
    const { kept, hidden } = limitRows(found, SHOWN_VALUES);
    caption.textContent = `In force on ${dayText(day)}, as known after ${counted(prefix)}`;
    none.remove();
    showItems(body, kept, ({ order, change }) => `${order} ${change}`, rowInForce);
    if (!kept.length) body.append(none);
    note.textContent = hidden ? `… and ${grouped(hidden)} more rows` : "";
  };
}

/** The second axis in `place`. `view` tells `prefix()`, `end()` and an event's `name(n)`; it can `jump` and `say`. */
function openCanvas(place, root, content, view) {
  const { rectangles, first, last, at } = openRectangles(content);
  const { date, days, canvas, edge, rows } = dateParts();
  const showRows = openRowTable(rows);
  let [day, width, moving] = [at, 0, null];
  const scale = () => ({ end: view.end(), first, last, width: width - BESIDE_CANVAS, height: CANVAS_HEIGHT });

  Object.assign(days, { min: first, max: last });
  place.append(h("div", { class: "bar" }, h("label", { class: "date" }, "on ", date), days), canvas, edge, rows);
  date.value = dayText(day);

  function draw() {
    width = Math.max(BESIDE_CANVAS + 1, canvas.clientWidth);
    const drawn = drawCanvas(rectangles, scale());
    moving = drawn.moving;
    canvas.replaceChildren(drawn.drawing);
    move();
  }

  function move() {
    const found = rowsInForce(rectangles, view.prefix(), day);
    const [x, y] = placeOf(view.prefix(), day, scale());
    const here = found.filter(({ change }) => change !== "removed");
    moving.here.setAttribute("d", here.map((one) => boxPath(boxOf(one, scale()))).join(""));
    moving.lines.setAttribute("d", `M${x} 0V${CANVAS_HEIGHT}M0 ${y}H${width}`);
    set(moving.point, { cx: x, cy: y });
    set(moving.prefix, { x: Math.max(120, x) }).textContent = grouped(view.prefix());
    set(moving.day, { y: Math.max(26, Math.min(CANVAS_HEIGHT - 16, y + 4)) }).textContent = dayText(day);
    days.value = day;
    days.setAttribute("aria-valuetext", dayText(day));
    root.dataset.date = dayText(day);
    showRows(found, day, view.prefix());
    return here;
  }

  function nameEdge(rectangle, side) {
    const number = rectangle.edges[side];
    const sentence = edgeSentence(rectangle, side, view.name(number));
    edge.replaceChildren(sentence, " ",
      h("button", { type: "button", "data-event": number }, `go to event ${grouped(number)}`));
    view.say(sentence);
  }

  function go(to) {
    day = Math.max(first, Math.min(last, to));
    date.value = dayText(day);
    const named = move().map(({ row }) => row);
    view.say(`On ${dayText(day)}: ${named.slice(0, 5).join(", ") || "nothing"} in force.`);
  }

  function clickCanvas(event) {
    const bounds = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left - BESIDE_CANVAS, event.clientY - bounds.top];
    const found = edgeAt(rectangles, x, y, scale());
    if (found) return nameEdge(...found);
    const [prefix, to] = pointAt(x, y, scale());
    go(to);
    view.jump(prefix);
  }

  /** Take a click on a row's edge; whether it was one. */
  function click(target) {
    const chosen = target.closest("[data-edge]");
    if (chosen) {
      const [order, side] = chosen.dataset.edge.split(" ").map(Number);
      nameEdge(rectangles[order], side);
    }
    return chosen !== null;
  }

  /** Take a key on the date slider or in the date's box; whether it was one. */
  function press(key, target) {
    const to = target === days ? moveBy(key, day - first, last - first) : null;
    if (to !== null) go(first + to);
    const typed = target === date && (key === "Enter" || key === "Tab");
    if (typed) go(dayOf(date.value.trim()) ?? day);
    return to !== null || typed;
  }

  canvas.addEventListener("click", clickCanvas);
  days.addEventListener("input", () => go(Number(days.value)));
  date.addEventListener("focus", () => date.select());
  date.addEventListener("blur", () => { date.value = dayText(day); });
  return { draw, move, click, press, fits: () => canvas.clientWidth === width };
}
