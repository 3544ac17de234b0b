// The parts of a view that stay: controls, ruler, panels.

function actionButton(name, label, help) {
  return h("button", { type: "button", "data-do": name, title: help }, label);
}

function numberBox(part, label) {
  return h("input", { type: "text", inputmode: "numeric", autocomplete: "off", "data-part": part, "aria-label": label });
}

function controls() {
  return {
    slider: h("input", {
      type: "range", min: 0, step: 1, "aria-label": "prefix: how many events have happened", "data-part": "slider",
    }),
    typed: numberBox("typed", "prefix"),
    of: h("span"),
    play: button("play", "play or pause (space)"),
    speed: actionButton("speed", "", "speed of play"),
    ends: [button("first", "first (Home)"), button("back", "back (←)")],
    ons: [button("forward", "forward (→)"), button("last", "last (End)")],
    trust: h("span", { class: "trust", "data-part": "trust" }),
    compare: h("button", { type: "button", "data-do": "compare", "aria-pressed": "false",
      title: "keep this prefix on the left and move on" }, "compare"),
    pinned: numberBox("pinned", "prefix to compare with"),
    kind: h("select", { "data-part": "kind", "aria-label": "kind of event to find" }),
    words: h("input", { type: "search", "data-part": "search", placeholder: "text in an event",
      "aria-label": "text to find in an event", autocomplete: "off" }),
    finds: [button("previous", "the one before"), button("next", "the next one (Enter)")],
    found: h("span", { class: "quiet", "data-part": "found" }),
  };
}

function panels() {
  return {
    drawing: svg("svg", { "aria-hidden": "true" }),
    stateHead: h("span"),
    code: h("code", { "data-part": "code" }),
    copy: actionButton("copy", "copy", "copy the line that reproduces this view"),
    state: h("div", { "data-part": "state" }),
    eventHead: h("p", { class: "head" }),
    event: h("div", { "data-part": "event" }),
    rows: h("div", { role: "presentation" }),
    loaded: h("p", { class: "quiet", "data-part": "loaded" }),
    live: h("p", { class: "unseen", "aria-live": "polite", "data-part": "change" }),
  };
}

/** The parts of a view, by name; `root` holds them all. */
function build(title) {
  const parts = { ...controls(), ...panels() };
  const { compare, pinned, kind, words, finds, found, trust, typed } = parts;
  parts.list = h("div", { "data-part": "events", role: "listbox", tabindex: 0, "aria-label": "events" }, parts.rows);
  parts.ruler = h("div", { class: "ruler" }, parts.drawing, parts.slider);
  parts.pin = h("label", { class: "pin", hidden: "" }, "with prefix ", pinned);
  parts.dates = h("div", { class: "dates", "data-part": "dates", hidden: "" });
  parts.root = h("div",
    { class: "forge-figure forge-timeline", role: "group", "aria-label": title || "timeline", tabindex: -1 },
    ...(title ? [h("p", { class: "name", dir: "auto" }, title)] : []),
    h("div", { class: "bar" }, ...parts.ends, parts.play, ...parts.ons, parts.speed,
      trust, h("label", { class: "prefix" }, "prefix ", typed, parts.of)),
    h("div", { class: "bar tools" },
      h("span", { class: "find", role: "group", "aria-label": "find" }, kind, words, ...finds, found),
      h("span", { class: "pair" }, compare, parts.pin), h("span", { class: "pair" }, parts.code, parts.copy)),
    parts.ruler,
    parts.dates,
    h("div", { class: "panels" },
      h("div", {}, h("p", { class: "head" }, parts.stateHead), parts.state),
      h("div", {}, parts.eventHead, parts.event),
      h("div", {}, h("p", { class: "head" }, "Events"), parts.list)),
    parts.loaded,
    parts.live);
  return parts;
}

/** Show in the controls where a view is: at `prefix`, whose last event is called `name`, beside `pinned`. */
function drawControls(parts, head, { prefix, pinned, name }) {
  const { slider, stateHead, eventHead, code, trust } = parts;
  slider.value = prefix;
  slider.setAttribute("aria-valuetext", `after ${grouped(prefix)} of ${counted(head.count)}${name && `: ${name}`}`);
  stateHead.textContent = pinned === null ? stateTitle(prefix) : "Difference";
  eventHead.textContent = prefix ? `Event ${grouped(prefix)}` : "No event";
  code.textContent = codeOf(prefix, pinned);
  const trusted = trustAt(head.trust, prefix, head.count);
  if ((trusted?.[1] ?? "") !== trust.textContent) {
    trust.replaceChildren(...(trusted ? trustLine(trusted) : []));
    trust.dataset.trust = trusted?.[0] ?? "";
  }
  // Not `disabled`: a button that is pressed until the end must keep the focus.
  for (const element of parts.ends) element.setAttribute("aria-disabled", prefix === 0);
  for (const element of parts.ons) element.setAttribute("aria-disabled", prefix === head.end);
}

/** Copy what an element says, and select it, so that it can be copied by hand where the browser does not allow it. */
function copyText(element, copied) {
  const text = element.textContent;
  getSelection().selectAllChildren(element);
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => copied(text), () => {});
  else if (document.execCommand("copy")) copied(text);
}
