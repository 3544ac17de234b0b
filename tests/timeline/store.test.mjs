import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { timeline } from "./module.mjs";

const [SIZE, BLOCK] = [1000, 100];

function bytesOf(number, size = SIZE) {
  const page = {
    start: number * size, states: size, words: [`value ${number}`], keys: [], fields: [], paths: ["a"],
    keyframe: [0], changes: [[[], []]], names: Array(size).fill(0), marks: [[number * size + 1, "◆ first"]],
  };
  return gzipSync(JSON.stringify(page));
}

/** A model as a notebook gives it; `asked` holds what was asked of the kernel. */
function modelOf(count, sent, more = {}) {
  const values = {
    head: { count, end: count, last: count, page: SIZE, edition: 0, kept: 0 },
    pages: Object.fromEntries(sent.map((number) => [number, bytesOf(number)])),
  };
  const heard = new Map();
  const model = {
    asked: [],
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    on: (name, call) => heard.set(name, call),
    off: (name) => heard.delete(name),
    send: ({ page, size }) => model.asked.push(size === SIZE ? page : `block ${page}`),
    answer: (page, edition = values.head.edition) =>
      heard.get("msg:custom")({ page, size: SIZE, edition }, [bytesOf(page)]),
    answerBlock: (page) =>
      heard.get("msg:custom")({ page, size: BLOCK, edition: values.head.edition }, [bytesOf(page, BLOCK)]),
    change: (head, pages) => { Object.assign(values, { head, pages }); heard.get("change:head")(); },
    heard,
    ...more,
  };
  return model;
}

/** The store of a model, and a promise of what comes next. */
function watched(model) {
  const store = timeline.openStore(model);
  let told = () => {};
  store.watch((number) => told(number));
  const next = () => new Promise((resolve) => { told = resolve; });
  const until = async (done) => { while (!done()) await Promise.race([next(), setTimeout(20)]); };
  return { store, until };
}

test("pages that were sent are opened, and those that were not are asked for one at a time", async () => {
  const model = modelOf(5000, [0, 4]);
  const { store, until } = watched(model);
  assert.deepEqual(model.asked, [1]);
  await until(() => store.loaded() === 2);
  assert.deepEqual(model.asked, [1]);
  for (const number of [1, 2, 3]) {
    model.answer(number);
    await until(() => store.isOpen(number));
  }
  assert.deepEqual(model.asked, [1, 2, 3]);
  assert.equal(timeline.stateAt(store.peek(2500), 2500).get("a"), "value 2");
  assert.deepEqual(store.marks().map(({ event }) => event), [1, 1001, 2001, 3001, 4001]);
  store.close();
  assert.equal(model.heard.size, 0);
});

test("for a prefix whose page is not there a block is asked for at once, and then its page before the others", async () => {
  const model = modelOf(10_000, [0, 9]);
  const { store, until } = watched(model);
  assert.equal(store.want(7250), undefined);
  assert.equal(store.want(7251), undefined);
  assert.deepEqual(model.asked, [1, "block 72"]);
  model.answer(1);
  model.answerBlock(72);
  await until(() => store.peek(7250));
  assert.deepEqual([store.peek(7250).start, store.isOpen(7)], [7200, false]);
  await until(() => model.asked.length > 2);
  assert.deepEqual(model.asked, [1, "block 72", 7]);
  model.answer(7);
  await until(() => store.isOpen(7));
  assert.equal(store.want(7250).start, 7000);
  store.close();
});

test("a slider dragged over much that is not there asks for little, and in the end for where it stopped", async () => {
  const model = modelOf(100_000, [0, 99]);
  const { store, until } = watched(model);
  for (let prefix = 5000; prefix <= 50_000; prefix += 1000) store.want(prefix + 50);
  assert.deepEqual(model.asked, [1, "block 50", "block 60"]);
  model.answerBlock(50);
  await until(() => model.asked.length > 3);
  assert.equal(model.asked.at(-1), "block 500");
  model.answerBlock(500);
  await until(() => store.peek(50_050));
  store.close();
});

test("of a page that was sent no block is asked for", () => {
  const model = modelOf(5000, [0, 4]);
  const { store } = watched(model);
  store.want(4500);
  store.want(0);
  assert.deepEqual(model.asked, [1]);
  store.close();
});

test("a search takes the next page and waits for no pause", async () => {
  const model = modelOf(10_000, [0, 9]);
  const { store, until } = watched(model);
  store.want(5000);
  model.answer(1);
  model.answerBlock(49);
  await until(() => store.peek(5000));
  const page = store.load(4);
  assert.equal(model.asked.at(-1), 4);
  model.answer(4);
  assert.equal((await page).start, 4000);
  store.close();
});

test("a kernel that is gone is not waited for, and asked again for what is wanted", async () => {
  const model = modelOf(5000, [0, 4], { send: () => { throw new Error("dead"); } });
  const { store, until } = watched(model);
  let redraws = 0;
  store.watch(() => redraws++ < 100 && [2000, 3000].forEach(store.want)); // a view asks when it draws
  await until(() => store.loaded() === 2 && store.answerless());
  assert.equal(await store.load(2), null);
  assert.ok(redraws < 10, `${redraws} redraws`);
  model.send = ({ page }) => model.asked.push(page);
  store.retry(1);
  assert.ok(store.answerless(), "a page that is there is not asked for");
  store.retry(3500);
  store.want(3500);
  assert.deepEqual([model.asked, store.answerless()], [[34], false]);
  model.answer(3);
  assert.equal((await store.load(3)).start, 3000);
  store.close();
});

test("bytes that are no page are a failure of that page alone", async () => {
  const model = modelOf(2000, [0, 1]);
  model.get("pages")[0] = Buffer.from("nothing of the kind");
  const { store, until } = watched(model);
  await until(() => store.failure(500) && store.isOpen(1));
  assert.equal(await store.load(0), null);
  store.close();
});

test("a history that grows keeps the pages that did not change, and what was asked of the one before is dropped", async () => {
  const model = modelOf(5000, [0, 4]);
  const { store, until } = watched(model);
  await until(() => store.loaded() === 2);
  const first = store.peek(0);
  model.change({ count: 6000, end: 6000, last: 6000, page: SIZE, edition: 1, kept: 4 }, { 5: bytesOf(5) });
  model.answer(1, 0);
  assert.equal(store.peek(0), first);
  await until(() => store.isOpen(5));
  assert.deepEqual([store.isOpen(1), store.isOpen(4)], [false, false]);
  store.close();
});

test("what was loaded is kept in the model, so that it is saved with the notebook", async () => {
  const model = modelOf(5000, [0, 4]);
  const { store } = watched(model);
  model.answer(1);
  assert.deepEqual(Object.keys(model.get("pages")), ["0", "1", "4"]);
  store.close();
});

test("behind the last state there are no marks", async () => {
  const model = modelOf(2000, [0, 1]);
  model.get("head").last = 1500;
  const { store, until } = watched(model);
  await until(() => store.loaded() === 2);
  assert.deepEqual(store.marks().map(({ event }) => event), [1, 1001]);
  model.change({ ...model.get("head"), last: 900, edition: 1 }, model.get("pages"));
  await until(() => store.loaded() === 2);
  assert.deepEqual(store.marks().map(({ event }) => event), [1]);
  store.close();
});

test("without a view nothing is asked for", () => {
  const model = modelOf(5000, [0, 4]);
  timeline.openStore(model).close();
  assert.deepEqual(model.asked, []);
});

test("where a view came to rest is told to the kernel once, and not on the way there", async () => {
  const told = [];
  const store = timeline.openStore(modelOf(1000, [0], { send: (content) => told.push(content) }));
  [1, 2, 3].forEach(store.remember);
  while (!told.length) await setTimeout(20);
  assert.deepEqual(told, [{ seen: 3 }]);
});
