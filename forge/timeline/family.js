// What the timeline, the dial and the strip share. This text stands before theirs: they are one module.

const ANNOUNCE_AFTER = 350;
const THUMB = 14;

/** Where a key leads from a place in 0…end, or null if it leads nowhere. In a list, up is back. */
export function moveBy(key, place, end, up = 1, pageUp = Math.max(2, Math.round(end / 10))) {
  const steps = {
    ArrowRight: 1, ArrowLeft: -1, ArrowUp: up, ArrowDown: -up,
    PageUp: pageUp, PageDown: -pageUp, Home: -place, End: end - place,
  };
  return Object.hasOwn(steps, key) ? Math.max(0, Math.min(end, place + steps[key])) : null;
}

/** Whether a key is the notebook's: with a modifier, or Shift+Enter, which runs the cell. */
export function isNotebooks(event) {
  return event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
}

// Drawn, because a font may lack them.
const SHAPES = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3v10l7-5z",
  last: "M3 3v10l7-5zM11 3h2v10h-2z",
  previous: "M3 11l5-6 5 6z",
  next: "M3 5l5 6 5-6z",
  added: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  removed: "M3 7h10v2H3z",
  changed: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.4a4.6 4.6 0 0 1 0 9.2z",
  notyet: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z",
  holds: "M13.3 3.6l1.3 1.3-8.4 8.4-4.8-4.8 1.3-1.3 3.5 3.5z",
  cross: "M4.4 3L8 6.6 11.6 3 13 4.4 9.4 8l3.6 3.6-1.4 1.4L8 9.4 4.4 13 3 11.6 6.6 8 3 4.4z",
  diamond: "M8 1.5L14.5 8 8 14.5 1.5 8z",
  triangle: "M8 2.5l6 11H2z",
  square: "M3 3h10v10H3z",
  dot: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function h(tag, attributes = {}, ...children) {
  const element = set(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

function svg(tag, attributes = {}, ...children) {
  const element = set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);
  element.append(...children);
  return element;
}

function icon(name, attributes = {}) {
  const size = { viewBox: "0 0 16 16", width: 14, height: 14 };
  return svg("svg", { class: `icon ${name}`, "aria-hidden": "true", ...size, ...attributes },
    svg("path", { d: SHAPES[name], "fill-rule": "evenodd" }));
}

function unseen(text) {
  return h("span", { class: "unseen" }, text);
}
