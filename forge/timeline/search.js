// The find controls: the next or the previous event of a kind, with a mark, with a text.

/** The find controls of a view. `jump(n)` moves it, `here()` tells its prefix. */
function openSearch({ root, kind, words, found }, store, here, jump) {
  let runs = 0;

  function wanted() {
    const [what, ...rest] = kind.value;
    const chosen = (letter) => (what === letter ? rest.join("") : null);
    return { kind: chosen("k"), mark: chosen("m"), text: words.value.trim().toLowerCase() };
  }

  function group(label, letter, texts) {
    const option = (text) => h("option", { value: letter + text }, clip(text, 60));
    return texts.length ? [h("optgroup", { label }, ...texts.map(option))] : [];
  }

  /** Offer the kinds and marks that are known by now. */
  function offer() {
    const groups = [...group("kinds", "k", store.kinds()), ...group("marks", "m", store.labels())];
    const offered = groups.map((found) => found.textContent).join("\n");
    if (offered === kind.dataset.offered) return;
    const chosen = kind.value;
    kind.dataset.offered = offered;
    kind.replaceChildren(h("option", { value: "" }, "any event"), ...groups);
    kind.value = chosen;
    if (kind.selectedIndex < 0) kind.selectedIndex = 0;
  }

  function tell(text, going = false) {
    found.textContent = text;
    root.toggleAttribute("data-searching", going);
  }

  async function find(step) {
    const run = ++runs;
    const { count, page: size } = store.head();
    const [start, asked] = [here(), wanted()];
    let number = start + step;
    while (number >= 1 && number <= count) {
      const at = pageOf(number, size);
      if (!store.isOpen(at)) tell(`searching: event ${grouped(number)}`, true);
      const page = await store.load(at);
      if (run !== runs) return;
      if (!page) return tell(`events from ${grouped(number)} on are not loaded`);
      const hit = findIn(page, number, step, asked);
      if (hit !== null) {
        tell("");
        return jump(hit);
      }
      number = step > 0 ? page.start + page.names.length + 1 : page.start;
      tell(`searching: event ${grouped(Math.max(1, number))}`, true);
      await new Promise((resolve) => setTimeout(resolve));
      if (run !== runs) return;
    }
    tell(step > 0 ? `none after event ${grouped(start)}` : `none before event ${grouped(start)}`);
  }

  function stop() {
    runs++;
    if (found.textContent) tell("");
  }

  return { find, offer, stop };
}
