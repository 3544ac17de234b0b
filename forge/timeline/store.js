// The pages of one history, shared by all views of a model. Pages that were sent are opened, pages that were
// not are asked for: one at a time, first the one that is wanted, then those nearest to it.

const ANSWER_WITHIN = 4000;
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

/** The pages of a model. `store.watch(call)`: `call` is told what was opened, or null when all may differ. */
export function openStore(model) {
  const watchers = new Set();
  let head, sent, opened, failed, marks, kinds, labels;
  let [wanted, opening, asked, answerless, silence] = [0, false, null, false, 0];
  const count = () => Math.max(1, Math.ceil(head.count / head.page));
  const tell = (number) => [...watchers].forEach((call) => call(number));

  function take() {
    head = model.get("head");
    const kept = (pages) => new Map([...(pages ?? [])].filter(([number]) => number < head.kept));
    [sent, opened, marks, failed] = [kept(sent), kept(opened), kept(marks), new Map()];
    [kinds, labels] = [new Set(), new Set()];
    for (const page of opened.values()) collectKinds(page, kinds, labels, SHOWN_KINDS);
    for (const [number, bytes] of Object.entries(model.get("pages"))) sent.set(Number(number), bytes);
    clearTimeout(silence);
    [asked, answerless] = [null, false];
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
    const missing = asked === null ? nearest((n) => !sent.has(n), count(), wanted) : null;
    if (missing !== null) ask(missing);
  }

  async function open(number) {
    opening = true;
    const { edition } = head;
    const page = await decode(sent.get(number)).then(openPage).catch(String);
    opening = false;
    if (edition !== head.edition) return next();
    if (typeof page === "string") failed.set(number, page);
    else {
      const found = [...page.marks].flatMap(([event, all]) => all.map((label) => ({ event, ...splitMark(label) })));
      marks.set(number, thinMarks(found, head.end, RULER_MARKS));
      collectKinds(page, kinds, labels, SHOWN_KINDS);
      opened.set(number, page);
    }
    tell(number);
    next();
  }

  function ask(number) {
    asked = number;
    silence = setTimeout(unanswered, ANSWER_WITHIN);
    try {
      model.send({ page: number });
    } catch {
      clearTimeout(silence);
      silence = setTimeout(unanswered);
    }
  }

  function unanswered() {
    answerless = true;
    tell(null);
  }

  function hear({ page, edition }, [bytes]) {
    if (edition !== head.edition) return;
    clearTimeout(silence);
    [asked, answerless] = [null, false];
    sent.set(page, bytes);
    // So that they are saved with the notebook.
    const size = [...sent.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size <= SAVED_BYTES) model.set("pages", Object.fromEntries(sent));
    next();
  }

  /** A page that is open; undefined when it is not, and then it comes next. */
  function page(number) {
    wanted = number;
    if (!opened.has(number)) next();
    return opened.get(number);
  }

  /** Ask a kernel that did not answer once more, for a page that is wanted anew. */
  function retry(number) {
    if (answerless && !sent.has(number)) [asked, answerless] = [null, false];
  }

  /** A page as soon as it is open; null when it cannot be had. */
  function load(number) {
    return new Promise((resolve) => {
      const look = () => {
        if (!opened.has(number) && !failed.has(number) && !(answerless && !sent.has(number))) return;
        watchers.delete(look);
        resolve(opened.get(number) ?? null);
      };
      watchers.add(look);
      page(number);
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
    watchers.clear();
    model.off("change:head", replace);
    model.off("msg:custom", hear);
  }

  take();
  model.on("change:head", replace);
  model.on("msg:custom", hear);
  return {
    page, retry, load, watch, close, count,
    head: () => head,
    peek: (number) => opened.get(number),
    failure: (number) => failed.get(number),
    loaded: () => opened.size,
    answerless: () => answerless,
    marks: () => [...marks].sort(([a], [b]) => a - b).flatMap(([, found]) => found),
    kinds: () => (kinds.size > SHOWN_KINDS ? [] : [...kinds].sort()),
    labels: () => (labels.size > SHOWN_KINDS ? [] : [...labels].sort()),
  };
}
