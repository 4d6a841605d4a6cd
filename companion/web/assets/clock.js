// Turn clocks: times that the server measured, going on from there.

import { tell } from "./notice.js";

const EVERY_MS = 250;

/** Let the running times of a part of a page go on, until it is replaced. */
export function prepareClocks(root) {
  const clocks = [...root.querySelectorAll("[data-clock]")];
  if (!clocks.length) return;
  const since = performance.now();
  const ticking = setInterval(() => {
    if (!clocks[0].isConnected) clearInterval(ticking);
    const passed = (performance.now() - since) / 1000;
    for (const clock of clocks) show(clock, Number(clock.dataset.clock) + passed);
  }, EVERY_MS);
}

function show(clock, seconds) {
  const shown = words(Math.floor(seconds));
  if (clock.textContent !== shown) clock.textContent = shown;
  const limit = Number(clock.dataset.limit ?? Infinity);
  if (seconds < limit || clock.classList.contains("late")) return;
  clock.classList.add("late");
  tell(document.querySelector("[data-late]"));
}

function words(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), `${two(seconds % 60)}`];
  return hours ? `${hours}:${two(minutes % 60)}:${rest}` : `${minutes}:${rest}`;
}
