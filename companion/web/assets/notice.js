// Notices go by themselves, unless somebody touches them or stands on them; without this they stay.

const STAYS_MS = 8000;

/** Let the notice of a page be closed, and go after some seconds. */
export function prepareNotice() {
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
