// Taps on their way: each is sent once, kept while the table is out of reach, and sent when it is back.
import { FETCHED } from "./fetched.js";
import { tell } from "./notice.js";

const PATIENCE_MS = 20000;
const LOOK_MS = 2000;
const LOOKS_WHEN_WELL = 5;

let underWay = false;
let asBrowsersDo = false;
let revive = () => {};
/** What was tapped last while the table was out of reach. */
let kept = null;

/** Whether what was tapped is on its way, and leads to another page. */
export const isLeaving = () => underWay;

/** Look after the taps of a page, on what is put in its place later too. */
export function prepareSending() {
  keepToken();
  const strip = document.getElementById("offline");
  const keepIfOut = (event, again) => {
    if (strip.hidden) return;
    event.preventDefault();
    kept = again;
  };
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (asBrowsersDo || "upload" in form.dataset) return;
    if (underWay) event.preventDefault();
    else if ((submitter?.getAttribute("formmethod") ?? form.method) === "get") keepIfOut(event, () => form.requestSubmit(submitter));
    else {
      event.preventDefault();
      send(form, submitter);
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link && !event.defaultPrevented) keepIfOut(event, () => link.click());
  });
  addEventListener("offline", () => setReach(false));
  addEventListener("online", look);
  addEventListener("pageshow", (event) => event.persisted && revive());
  let ticks = 0;
  setInterval(() => {
    if (!document.hidden && (!strip.hidden || ++ticks % LOOKS_WHEN_WELL === 0)) look();
  }, LOOK_MS);
}

/** A page that is gone back to is the same page still: what it sends again is answered as it was. */
function keepToken() {
  const fields = [...document.querySelectorAll("input[name=token]")];
  const [entry] = performance.getEntriesByType("navigation");
  const token = (entry?.type === "back_forward" && history.state?.token) || fields[0]?.value;
  history.replaceState({ ...history.state, token }, "");
  for (const field of fields) field.value = token;
}

/** Look whether the table is there; say so where it is not, and send what was kept once it is. */
export async function look() {
  const options = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(2 * LOOK_MS) };
  setReach((await fetch("/assets/icon.svg", options).catch(() => null)) !== null);
}

function setReach(isThere) {
  const strip = document.getElementById("offline");
  if (strip.hidden === isThere) return;
  if (!isThere) {
    tell(strip);
    return;
  }
  strip.hidden = true;
  const again = kept;
  kept = null;
  again?.();
}

async function send(form, submitter) {
  const buttons = [...form.elements].filter((one) => one.localName === "button");
  revive = () => {
    underWay = false;
    for (const button of buttons) button.removeAttribute("aria-disabled");
  };
  underWay = true;
  for (const button of buttons) button.setAttribute("aria-disabled", "true");
  const answer = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(new FormData(form, submitter)),
    headers: { ...FETCHED, "X-Requested-With": "form" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => null);
  if (answer?.status === 204) {
    const place = new URL(answer.headers.get("Location"), location.href);
    if (place.pathname + place.search === location.pathname + location.search) location.reload();
    else location.assign(place);
    setTimeout(revive, PATIENCE_MS);
    return;
  }
  revive();
  if (answer === null) {
    // It may have come through all the same: sent again it is answered as it was.
    kept = () => send(form, submitter);
    setReach(false);
    return;
  }
  // A question, or what is wrong; nothing was changed by it, and a browser shows it as any page.
  asBrowsersDo = true;
  form.requestSubmit(submitter);
  asBrowsersDo = false;
}
