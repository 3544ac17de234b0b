// Playing: one prefix after the other, at a chosen speed.

const PLAY_EVERY = 900;
const SPEEDS = [1, 2, 4, 8, 16];

/** The player of a view, which tells `prefix()`, `end()`, whether its state is `settled()`, and can `go(n)`. */
function openPlayer({ root, play, speed }, view) {
  let [chosen, playing] = [0, 0];

  function show() {
    const name = playing ? "pause" : "play";
    play.replaceChildren(icon(name));
    play.setAttribute("aria-label", name);
    root.toggleAttribute("data-playing", playing !== 0);
  }

  function wait() {
    playing = setTimeout(tick, PLAY_EVERY / SPEEDS[chosen]);
  }

  function tick() {
    if (!view.settled()) return wait(); // its page is on the way
    if (view.prefix() + 1 >= view.end()) stop();
    view.go(view.prefix() + 1);
    if (playing) wait();
  }

  function stop() {
    clearTimeout(playing);
    playing = 0;
    show();
  }

  function toggle() {
    if (playing) return stop();
    if (!view.end()) return;
    wait();
    show();
    if (view.prefix() === view.end()) view.go(0);
  }

  function setSpeed(to) {
    chosen = to % SPEEDS.length;
    speed.textContent = `${SPEEDS[chosen]}×`;
    speed.setAttribute("aria-label", `speed ${SPEEDS[chosen]} times`);
  }

  setSpeed(0);
  show();
  return { toggle, stop, faster: () => setSpeed(chosen + 1), playing: () => playing !== 0 };
}
