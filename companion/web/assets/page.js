// What pages do beyond links and forms. Everything works without it, only less at once.
import { prepareSwipes } from "./board.js";
import { follow, prepare } from "./live.js";
import { prepareNotice, tell } from "./notice.js";
import { prepareSending } from "./sending.js";

prepareNotice();
prepareSending();
prepareSwipes();
prepare(document);
follow(document.body);
for (const note of document.querySelectorAll("[data-plain]")) note.hidden = isSecureContext;
// Not navigator.clipboard, which browsers lack on a plain http address.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    document.querySelector("[data-copied]").select();
    if (document.execCommand("copy")) tell(document.querySelector("[data-copy-done]"));
  });
}
