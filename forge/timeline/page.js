// After the timeline's modules: the exported page, which holds everything that a kernel would be asked for.

const values = JSON.parse(document.getElementById("timeline-data").textContent);
const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
values.pages = Object.fromEntries(Object.entries(values.pages).map(([number, text]) => [number, bytesOf(text)]));
values.dates = bytesOf(values.dates);
const model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; },
  on: () => {},
  off: () => {},
};
renderTimeline(model, openStore(model), document.querySelector("main"));
