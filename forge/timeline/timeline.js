// The replay timeline: the view that draws what the other modules say. All values arrive as text and are shown
// as text: nothing here becomes HTML.
//
// What others may rely on, all on the root `.forge-timeline`:
//   data-count, data-end   the events, and the last place of the slider
//   data-prefix            the prefix whose state is shown; missing while its page is not there
//   data-compare           the prefix on the left in compare mode
//   data-date              the business date whose rows are shown
//   data-loaded            "3/8": how many pages are open
//   data-playing, data-searching
// and inside it, as data-part:
//   slider typed trust pinned kind search found   the controls
//   state      tr[data-path][data-change] with data-part="is" and "was"; message where there is no state
//   event events code change loaded
//   dates      days date canvas edge rows: tr[data-row][data-change], [data-edge]
// A button names what it does in data-do: first back play forward last speed compare previous next copy.
// An event in the list is [data-event], a mark on the ruler [data-mark].

const EDITING = new Set(["ArrowLeft", "ArrowRight", "Home", "End", " "]);

/** Draw a view into `el`, and return what takes it away again. */
function renderTimeline(model, store, el) {
  let head = store.head();
  const parts = build(head.title);
  const { root, slider, typed, pinned: pin } = parts;
  const stopped = new AbortController();
  const clamp = (n) => Math.max(0, Math.min(head.end, n));
  const stopMarks = () => (head.stop ? [{ event: head.stop.number, ...splitMark(head.stop.mark) }] : []);
  let prefix = clamp(model.get("seen") ?? model.get("at"));
  let pinned = null;
  let [canvas, packed] = [null, null];
  let saying = 0;

  const tables = openTables();
  const ruler = openRuler(parts);
  const list = openList(parts, {
    count: () => head.count,
    name: nameOf,
    marks: marksOf,
    trusted: (n) => !head.trust?.broken || n <= head.trust.count,
  });
  const player = openPlayer(parts, {
    prefix: () => prefix,
    end: () => head.end,
    settled: () => root.dataset.prefix !== undefined,
    go,
  });
  const search = openSearch(parts, store, () => prefix, jump);

  function nameOf(n) {
    const page = n <= head.count && store.peek(n);
    return page ? nameAt(page, n) : "…";
  }

  function marksOf(n) {
    const labels = store.peek(n)?.marks.get(n) ?? [];
    return [...labels.map(splitMark), ...stopMarks().filter(({ event }) => event === n)];
  }

  function go(n) {
    prefix = clamp(n);
    store.retry(prefix);
    model.set("at", Math.min(prefix, head.count));
    model.set("seen", prefix);
    store.remember(prefix);
    typed.value = prefix;
    draw();
  }

  // The list first: scrolling asks for a layout, which is free as long as nothing else has changed.
  function draw() {
    list.follow(Math.min(prefix, head.count));
    drawPosition();
    canvas?.move();
    if (pinned !== null) root.dataset.compare = pinned;
    const other = pinned === null || store.want(pinned);
    const page = store.want(prefix);
    if (!page || !other) return drawMissing(page ? pinned : prefix);
    const isEvent = prefix > 0 && prefix <= head.count;
    put(parts.state, ...drawState(page, other));
    put(parts.event, ...(isEvent ? tables.event(fieldsAt(page, prefix), prefix) : []), ...markLine(marksOf(prefix)));
    root.dataset.prefix = prefix;
  }

  function drawState(page, other) {
    const stop = head.stop && Math.max(prefix, pinned ?? 0) > head.last;
    if (stop) {
      say(`${head.stop.title}.`);
      return [stopMessage(head.stop, head.last)];
    }
    if (pinned !== null) {
      const rows = diffRows(stateAt(other, pinned), stateAt(page, prefix), page.paths);
      say(announceDifference(pinned, prefix, rows));
      return tables.difference(rows, pinned, prefix);
    }
    const rows = rowsAt(page, prefix);
    say(announce(prefix, nameOf(prefix), rows));
    if (head.count) return tables.state(rows, prefix);
    const empty = message("notyet", "notyet", "No event yet", "This history is empty.");
    return rows.length ? [empty, ...tables.state(rows, prefix)] : [empty];
  }

  function drawMissing(n) {
    parts.state.replaceChildren(missingMessage(store.failure(n), store.answerless()));
    parts.event.replaceChildren();
    delete root.dataset.prefix;
  }

  function drawPosition() {
    const name = prefix > head.count ? head.stop.title : prefix ? nameOf(prefix) : "";
    drawControls(parts, head, { prefix, pinned, name });
    ruler.move(prefix, pinned);
  }

  function drawRuler() {
    const marks = [...store.marks(), ...stopMarks()].sort((a, b) => a.event - b.event);
    ruler.draw(marks, head.trust, head.end);
    ruler.move(prefix, pinned);
    canvas?.draw();
  }

  async function takeDates() {
    if (packed === model.get("dates")) return;
    const sent = packed = model.get("dates");
    const content = sent?.byteLength ? await decode(sent) : null;
    if (stopped.signal.aborted || packed !== sent) return;
    parts.dates.replaceChildren();
    parts.dates.hidden = !content;
    const view = { prefix: () => prefix, end: () => head.end, name: nameOf, jump, say };
    canvas = content && openCanvas(parts.dates, root, content, view);
    canvas?.draw();
  }

  function drawLoaded() {
    const [loaded, count] = [store.loaded(), store.count()];
    root.dataset.loaded = `${loaded}/${count}`;
    const share = Math.floor((100 * loaded) / count);
    const words = store.answerless()
      ? `${share} % of the events are loaded; the kernel does not answer for the others.`
      : `Loading the events: ${share} %`;
    parts.loaded.textContent = loaded === count ? "" : words;
  }

  /** A page was opened, or with null everything may be different. */
  function refresh(page) {
    const shows = (n) => n !== null && page === store.peek(n);
    if (page === null) take();
    else if (shows(prefix) || shows(pinned)) draw();
    else list.draw();
    search.offer();
    drawRuler();
    drawLoaded();
  }

  function take() {
    head = store.head();
    [prefix, pinned] = [clamp(prefix), pinned === null ? null : clamp(pinned)];
    slider.max = head.end;
    if (!typed.matches(":focus")) typed.value = prefix;
    parts.of.textContent = ` of ${grouped(head.count)}`;
    [root.dataset.count, root.dataset.end] = [head.count, head.end];
    list.size();
    draw();
    takeDates();
  }

  function say(sentence) {
    clearTimeout(saying);
    if (!player.playing()) saying = setTimeout(() => (parts.live.textContent = sentence), ANNOUNCE_AFTER);
  }

  function jump(n) {
    player.stop();
    search.stop();
    go(n);
  }

  /** Keep a prefix on the left, or with null none. */
  function compare(kept) {
    pinned = kept === null ? null : clamp(kept);
    parts.compare.setAttribute("aria-pressed", pinned !== null);
    parts.pin.hidden = pinned === null;
    pin.value = pinned ?? "";
    if (pinned === null) delete root.dataset.compare;
    draw();
  }

  const actions = {
    first: () => jump(0),
    back: () => jump(prefix - 1),
    play: player.toggle,
    forward: () => jump(prefix + 1),
    last: () => jump(head.end),
    speed: player.faster,
    compare: () => compare(pinned === null ? prefix : null),
    previous: () => search.find(-1),
    next: () => search.find(1),
    copy: () => copyText(parts.code, (text) => say(`Copied: ${text}`)),
  };

  function commit(box) {
    if (box === parts.words) return search.find(1);
    const number = typedNumber(box.value);
    if (box === pin) compare(number ?? pinned);
    else if (number !== prefix) jump(number ?? prefix);
  }

  // A number that was not confirmed is dropped: to draw now would take away what the mouse is about to click.
  function settle() {
    [typed.value, pin.value] = [prefix, pinned ?? ""];
  }

  // No plain key may reach the notebook: its command mode deletes the cell on d d. Shift+Enter still runs it.
  function press(event) {
    if (isNotebooks(event)) return;
    event.stopPropagation();
    const { target, key } = event;
    const typing = target.matches("input:not([type=range])");
    if (event.shiftKey || target.matches("select")) return;
    if (canvas?.press(key, target)) return key === "Tab" || event.preventDefault();
    if (typing && key === "Tab" && target !== parts.words) return commit(target);
    if (typing && key === "Enter") commit(target);
    else if (typing && (target !== typed || EDITING.has(key))) return;
    else if (key === " " && !target.closest("button")) player.toggle();
    else {
      const inList = parts.list.contains(target) ? [-1, -SHOWN_EVENTS] : [];
      const to = moveBy(key, prefix, head.end, ...inList);
      if (to === null) return;
      jump(to);
    }
    event.preventDefault();
  }

  function click(event) {
    if (canvas?.click(event.target)) return;
    const { dataset } = event.target.closest("[data-do], [data-event], [data-mark]") ?? { dataset: {} };
    if (dataset.do) actions[dataset.do]?.();
    else if (dataset.event ?? dataset.mark) jump(Number(dataset.event ?? dataset.mark));
  }

  function fit() {
    list.fit();
    if (!ruler.fits() || canvas?.fits() === false) drawRuler();
  }

  function followModel() {
    if (model.get("at") !== Math.min(prefix, head.count)) jump(model.get("at"));
  }

  const listeners = [
    [root, "keydown", press], [root, "click", click], [slider, "input", () => jump(Number(slider.value))],
    [typed, "focus", () => typed.select()], [typed, "blur", settle], [pin, "blur", settle],
    [parts.list, "scroll", list.scroll],
  ];
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener, { signal: stopped.signal });
  model.on("change:at", followModel);
  const resized = new ResizeObserver(fit);
  resized.observe(root);

  el.append(root);
  refresh(null);
  const unwatch = store.watch(refresh);

  return () => {
    unwatch();
    stopped.abort();
    player.stop();
    clearTimeout(saying);
    resized.disconnect();
    model.off("change:at", followModel);
    root.remove();
  };
}

/** One widget: its pages are shared by all its views. */
export default () => {
  let store = null;
  return {
    initialize({ model }) {
      store = openStore(model);
      return () => store.close();
    },
    render({ model, el }) {
      return renderTimeline(model, store, el);
    },
  };
};
