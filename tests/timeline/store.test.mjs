import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { timeline } from "./module.mjs";

const SIZE = 10;

function bytesOf(number, word = "value") {
  const page = {
    start: number * SIZE, states: SIZE, words: [`${word} ${number}`], keys: [], fields: [], paths: ["a"],
    keyframe: [0], changes: [[[], []]], names: Array(SIZE).fill(0), marks: [[number * SIZE + 1, "◆ first"]],
  };
  return gzipSync(JSON.stringify(page));
}

/** A model as a notebook gives it; `asked` holds what was asked of the kernel. */
function modelOf(count, sent, more = {}) {
  const values = {
    head: { count, end: count, page: SIZE, edition: 0, kept: 0 },
    pages: Object.fromEntries(sent.map((number) => [number, bytesOf(number)])),
  };
  const heard = new Map();
  const model = {
    asked: [],
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    on: (name, call) => heard.set(name, call),
    off: (name) => heard.delete(name),
    send: ({ page }) => model.asked.push(page),
    answer: (page, edition = values.head.edition) => heard.get("msg:custom")({ page, edition }, [bytesOf(page)]),
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
  const until = async (done) => { while (!done()) await next(); };
  return { store, until };
}

test("pages that were sent are opened, and those that were not are asked for one at a time", async () => {
  const model = modelOf(50, [0, 4]);
  const { store, until } = watched(model);
  assert.deepEqual(model.asked, [1]);
  await until(() => store.loaded() === 2);
  assert.deepEqual(model.asked, [1]);
  for (const number of [1, 2, 3]) {
    model.answer(number);
    await until(() => store.peek(number));
  }
  assert.deepEqual(model.asked, [1, 2, 3]);
  assert.equal(timeline.stateAt(store.peek(2), 25).get("a"), "value 2");
  assert.deepEqual(store.marks().map(({ event }) => event), [1, 11, 21, 31, 41]);
  store.close();
  assert.equal(model.heard.size, 0);
});

test("what is wanted is asked for before the others", async () => {
  const model = modelOf(100, [0, 9]);
  const { store, until } = watched(model);
  assert.equal(store.page(6), undefined);
  store.page(7);
  model.answer(1);
  assert.deepEqual(model.asked, [1, 7]);
  model.answer(7);
  await until(() => store.peek(7));
  assert.deepEqual(model.asked, [1, 7, 8]);
  store.close();
});

test("a kernel that is gone is not waited for, and asked again for what is wanted", async () => {
  const model = modelOf(50, [0, 4], { send: () => { throw new Error("dead"); } });
  const { store, until } = watched(model);
  let redraws = 0;
  store.watch(() => redraws++ < 100 && [2, 3].forEach(store.page)); // a view asks for its pages when it draws
  await until(() => store.loaded() === 2 && store.answerless());
  assert.equal(await store.load(2), null);
  assert.ok(redraws < 10);
  model.send = ({ page }) => model.asked.push(page);
  store.retry(0);
  assert.ok(store.answerless(), "a page that is there is not asked for");
  store.retry(3);
  store.page(3);
  assert.deepEqual([model.asked, store.answerless()], [[3], false]);
  model.answer(3);
  assert.equal((await store.load(3)).start, 30);
  store.close();
});

test("bytes that are no page are a failure of that page alone", async () => {
  const model = modelOf(20, [0, 1]);
  model.get("pages")[0] = Buffer.from("nothing of the kind");
  const { store, until } = watched(model);
  await until(() => store.failure(0) && store.peek(1));
  assert.equal(await store.load(0), null);
  store.close();
});

test("a history that grows keeps the pages that did not change, and what was asked of the one before is dropped", async () => {
  const model = modelOf(50, [0, 4]);
  const { store, until } = watched(model);
  await until(() => store.loaded() === 2);
  const first = store.peek(0);
  model.change({ count: 60, end: 60, page: SIZE, edition: 1, kept: 4 }, { 5: bytesOf(5) });
  model.answer(1, 0);
  assert.equal(store.peek(0), first);
  await until(() => store.peek(5));
  assert.deepEqual([store.peek(1), store.peek(4)], [undefined, undefined]);
  store.close();
});

test("what was loaded is kept in the model, so that it is saved with the notebook", async () => {
  const model = modelOf(50, [0, 4]);
  const { store } = watched(model);
  model.answer(1);
  assert.deepEqual(Object.keys(model.get("pages")), ["0", "1", "4"]);
  store.close();
});

test("without a view nothing is asked for", () => {
  const model = modelOf(50, [0, 4]);
  timeline.openStore(model).close();
  assert.deepEqual(model.asked, []);
});
