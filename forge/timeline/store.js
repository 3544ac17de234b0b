// The pages of one history, shared by all views of a model. Pages that were sent are opened. Those that were not
// are asked for, one at a time, those nearest to the wanted prefix first. Until the page of the wanted prefix is
// there, a block of few events around it is asked for, which the kernel makes at once.

const ANSWER_WITHIN = 4000;
const PAUSE = 300; // no other page is asked for so soon after a block, or the next block would wait for it
const REMEMBER_AFTER = 300;
const BLOCK = 100;
const BLOCKS = 500; // kept: who goes back finds it there
const ASKED = 3; // at once, or a slider dragged over a long history would be answered long after it has stopped
const SAVED_BYTES = 1_000_000;
const RULER_MARKS = 4000;
const SHOWN_KINDS = 100;

/** The number of the page nearest to the wanted one that is `missing`; null when none of `count` is. */
export function nearest(missing, count, wanted) {
  for (let away = 0; away < count; away++) {
    for (const number of [wanted + away, wanted - away]) {
      if (number >= 0 && number < count && missing(number)) return number;
    }
  }
  return null;
}

/** The pages of a model. `watch(call)`: `call` is told which page was opened, or null when all may differ. */
export function openStore(model) {
  const watchers = new Set();
  let head, sent, opened, failed, marks, kinds, labels, blocks, asked;
  let [wanted, prefix, opening, answerless, silence, paused, remembering] = [0, 0, false, false, 0, 0, 0];
  const count = () => Math.max(1, Math.ceil(head.count / head.page));
  const pageFor = (prefix) => pageOf(Math.min(prefix, head.count), head.page);
  const blockOf = (prefix) => pageOf(Math.min(prefix, head.count), BLOCK);
  const lacks = (at) => !peek(at) && !sent.has(pageFor(at)) && !failed.has(pageFor(at)) && !answerless;
  const tell = (page) => [...watchers].forEach((call) => call(page));

  function take() {
    head = model.get("head");
    const kept = (pages) => new Map([...(pages ?? [])].filter(([number]) => number < head.kept));
    [sent, opened, marks, failed, blocks] = [kept(sent), kept(opened), kept(marks), new Map(), new Map()];
    [kinds, labels] = [new Set(), new Set()];
    for (const page of opened.values()) collectKinds(page, kinds, labels, SHOWN_KINDS);
    for (const [number, bytes] of Object.entries(model.get("pages"))) sent.set(Number(number), bytes);
    forget();
  }

  function forget() {
    clearTimeout(silence);
    [asked, answerless] = [new Set(), false];
  }

  function replace() {
    take();
    tell(null);
    next();
  }

  function next() {
    if (!watchers.size) return;
    const unopened = (n) => sent.has(n) && !opened.has(n) && !failed.has(n);
    const number = opening ? null : nearest(unopened, count(), wanted);
    if (number !== null) open(number);
    const block = `${blockOf(prefix)} ${BLOCK}`;
    if (lacks(prefix) && !asked.has(block) && asked.size < ASKED) ask(blockOf(prefix), BLOCK);
    if (asked.size || paused) return;
    const missing = nearest((n) => !sent.has(n), count(), wanted);
    if (missing !== null) ask(missing, head.page);
  }

  /** An open page; marks stand only where there is a state to have caused them. */
  async function read(bytes) {
    const page = openPage(await decode(bytes));
    for (const event of page.marks.keys()) if (event > head.last) page.marks.delete(event);
    return page;
  }

  async function open(number) {
    opening = true;
    const { edition } = head;
    const page = await read(sent.get(number)).catch(String);
    opening = false;
    if (edition !== head.edition) return next();
    if (typeof page === "string") failed.set(number, page);
    else {
      const found = [...page.marks].flatMap(([event, all]) => all.map((label) => ({ event, ...splitMark(label) })));
      marks.set(number, thinMarks(found, head.end, RULER_MARKS));
      collectKinds(page, kinds, labels, SHOWN_KINDS);
      opened.set(number, page);
    }
    tell(typeof page === "string" ? null : page);
    next();
  }

  async function openBlock(number, bytes) {
    const { edition } = head;
    const page = await read(bytes).catch(String);
    if (edition !== head.edition) return;
    if (blocks.size >= BLOCKS) blocks.delete(blocks.keys().next().value);
    if (typeof page === "string") failed.set(pageFor(number * BLOCK + 1), page);
    else blocks.set(number, page);
    tell(typeof page === "string" ? null : page);
  }

  function ask(page, size) {
    asked.add(`${page} ${size}`);
    try {
      model.send({ page, size });
      expectAnswer(ANSWER_WITHIN);
    } catch {
      expectAnswer(0);
    }
  }

  function expectAnswer(within) {
    clearTimeout(silence);
    silence = setTimeout(() => {
      answerless = true;
      tell(null);
    }, within);
  }

  async function hear({ page, size, edition }, [bytes]) {
    if (edition !== head.edition) return;
    clearTimeout(silence);
    answerless = false;
    if (size === head.page) {
      sent.set(page, bytes);
      save();
    } else await openBlock(page, bytes);
    asked.delete(`${page} ${size}`);
    if (asked.size) expectAnswer(ANSWER_WITHIN);
    next();
  }

  // So that what was loaded is saved with the notebook.
  function save() {
    const size = [...sent.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size <= SAVED_BYTES) model.set("pages", Object.fromEntries(sent));
  }

  function pause(time) {
    clearTimeout(paused);
    paused = time && setTimeout(() => {
      paused = 0;
      next();
    }, time);
  }

  /** A page or a block that is open and holds a prefix, or undefined. */
  function peek(prefix) {
    return opened.get(pageFor(prefix)) ?? blocks.get(blockOf(prefix));
  }

  /** The same; what is not there comes next. */
  function want(at) {
    [wanted, prefix] = [pageFor(at), at];
    if (lacks(at)) pause(PAUSE);
    next();
    return peek(at);
  }

  /** Ask a kernel that did not answer once more, for a prefix that is wanted anew. */
  function retry(prefix) {
    if (answerless && !sent.has(pageFor(prefix))) forget();
  }

  /** Tell the kernel where a view has come to rest: a page that is loaded anew opens there. */
  function remember(prefix) {
    clearTimeout(remembering);
    remembering = setTimeout(() => {
      try {
        model.send({ seen: prefix });
      } catch {
        // Without a kernel nothing is remembered.
      }
    }, REMEMBER_AFTER);
  }

  /** Page `number` as soon as it is open; null when it cannot be had. */
  function load(number) {
    return new Promise((resolve) => {
      const look = () => {
        if (!opened.has(number) && !failed.has(number) && !(answerless && !sent.has(number))) return;
        watchers.delete(look);
        resolve(opened.get(number) ?? null);
      };
      watchers.add(look);
      wanted = number;
      pause(0);
      next();
      look();
    });
  }

  function watch(call) {
    watchers.add(call);
    next();
    return () => watchers.delete(call);
  }

  function close() {
    clearTimeout(silence);
    clearTimeout(remembering);
    pause(0);
    watchers.clear();
    model.off("change:head", replace);
    model.off("msg:custom", hear);
  }

  take();
  model.on("change:head", replace);
  model.on("msg:custom", hear);
  return {
    peek, want, retry, remember, load, watch, close, count,
    head: () => head,
    isOpen: (number) => opened.has(number),
    failure: (prefix) => failed.get(pageFor(prefix)),
    loaded: () => opened.size,
    answerless: () => answerless,
    marks: () => [...marks].sort(([a], [b]) => a - b).flatMap(([, found]) => found),
    kinds: () => (kinds.size > SHOWN_KINDS ? [] : [...kinds].sort()),
    labels: () => (labels.size > SHOWN_KINDS ? [] : [...labels].sort()),
  };
}
