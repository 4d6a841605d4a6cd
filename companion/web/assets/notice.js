// Notices are read out, and go by themselves, unless somebody touches them or stands on them.

const STAYS_MS = 8000;
const READ_MS = 100;

/** Show a message that was hidden, and have it read out. */
export function tell(message) {
  message.hidden = false;
  readOut(message.textContent);
}

/** Have a sentence read out: in a place that is there from the beginning, for screen readers pass over others. */
export function readOut(words) {
  document.getElementById("said").textContent = words.trim();
}

/** Let the notice of a page be read out and closed, and go after some seconds. */
export function prepareNotice() {
  const first = document.querySelector("[role=alert], [data-notice] > span");
  if (first) setTimeout(() => readOut(first.textContent), READ_MS);
  const notice = document.querySelector("[data-notice]");
  if (!notice) return;
  const header = notice.parentElement;
  let going;
  const close = () => {
    // Nothing below moves under a finger.
    header.style.minHeight = `${header.offsetHeight}px`;
    notice.remove();
  };
  const wait = () => (going = setTimeout(close, STAYS_MS));
  const stay = () => clearTimeout(going);
  for (const news of ["pointerenter", "pointerdown", "focusin"]) notice.addEventListener(news, stay);
  for (const news of ["pointerleave", "focusout"]) {
    notice.addEventListener(news, () => {
      stay();
      wait();
    });
  }
  notice.querySelector("[data-close]").addEventListener("click", (event) => {
    event.preventDefault();
    close();
  });
  wait();
}
