// The board: alone on the whole screen, and turned over like a page where it shows one turn of several.

const SWIPED_PX = 50;

/** Show the button that gives the board the whole screen, where the browser can. */
export function prepareFullScreen(root) {
  for (const button of root.querySelectorAll("[data-whole-screen]")) {
    button.hidden = !document.fullscreenEnabled;
    button.addEventListener("click", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.querySelector(".board").requestFullscreen();
    });
  }
}

/** Go to the next turn, or the one before, by a swipe over the board. */
export function prepareSwipes() {
  let from = null;
  document.addEventListener("touchstart", (event) => {
    const one = event.touches.length === 1 && event.target.closest(".board") ? event.touches[0] : null;
    from = one && [one.clientX, one.clientY];
  });
  document.addEventListener("touchend", (event) => {
    if (!from) return;
    const [across, down] = [event.changedTouches[0].clientX - from[0], event.changedTouches[0].clientY - from[1]];
    if (Math.abs(across) < SWIPED_PX || Math.abs(across) < 2 * Math.abs(down)) return;
    document.querySelector(across < 0 ? "a[rel=next]" : "a[rel=prev]")?.click();
  });
}
