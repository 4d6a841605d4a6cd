// A page that follows the table: what others change appears, and what the computer works on is shown as it goes.
import { prepareFullScreen } from "./board.js";
import { prepareClocks } from "./clock.js";
import { FETCHED } from "./fetched.js";
import { readOut, tell } from "./notice.js";
import { isLeaving, look } from "./sending.js";
import { prepareSteppers } from "./steppers.js";
import { prepareUploads } from "./upload.js";

const ASK_MS = 2000;

/** Listen to the events that a page names in `data-events`, as long as somebody looks at it. */
export function follow(body) {
  const address = body.dataset.events;
  if (!address) return;
  const isWaiting = () => "waiting" in body.dataset;
  let events = null;
  // A line that was refused stands in its field again.
  let typed = document.querySelector('main input[type="text"][value]:not([value=""])') !== null;
  document.addEventListener("input", () => (typed = true));
  document.querySelector("[data-reload]").addEventListener("click", () => location.reload());

  const isBusy = () => typed || document.querySelector("details[open] form :focus");
  const heard = {
    async changed(event) {
      // This phone's own change comes as news too; the page that answers it is on its way already.
      if (isLeaving() || event.data === body.dataset.revision) return;
      if (isBusy() || !(await refresh(body))) tell(document.getElementById("changed"));
    },
    // A clock that was set is another page of the same revision.
    clock() {
      if (!isLeaving() && !typed) refresh(body);
    },
    progress: (event) => show(JSON.parse(event.data)),
  };
  // Nor is a photo that was read.
  heard.photo = heard.clock;
  const askIfWaiting = () => {
    if (isWaiting()) ask(body);
    else if (document.querySelector("#photo-turn progress") && !isBusy()) heard.photo();
  };
  for (const news of ["open", "done", "hint"]) heard[news] = askIfWaiting;

  function listen() {
    if (events) return;
    events = new EventSource(address);
    events.addEventListener("open", look);
    events.addEventListener("error", look);
    for (const [news, hear] of Object.entries(heard)) events.addEventListener(news, hear);
  }
  function stop() {
    events?.close();
    events = null;
  }
  // A browser has few lines to one table, and pages that nobody looks at would hold them all. What such a page misses
  // is the first news when it listens again.
  if (!document.hidden) listen();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      stop();
      return;
    }
    listen();
    // Timers of a dark phone stand still, and a clock that was set meanwhile is no news any more.
    if (!isBusy()) refresh(body);
  });
  // What came to its end before the line stood was told to nobody, so it is asked as well.
  const asking = setInterval(askIfWaiting, ASK_MS);
  addEventListener("pagehide", () => clearInterval(asking));
  // Back from the dark: whatever was missed is fetched.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  addEventListener("pagehide", stop);
}

let reloading = false;

/** Look whether there is an answer by now; else show how far it has come. */
async function ask(body) {
  const page = await fetched(body);
  // News and the clock may both ask: a page that was on its way already would be broken off.
  if (!page || reloading) return;
  if (!("waiting" in page.body.dataset)) {
    reloading = true;
    if (body.dataset.address) location.replace(body.dataset.address);
    else location.reload();
    return;
  }
  show({ share: page.querySelector("[data-progress] progress")?.value ?? 0 });
}

function show(progress) {
  const place = document.querySelector("[data-progress]");
  if (!place) return;
  const bar = place.querySelector("progress");
  // News may overtake one another; a bar never goes back.
  bar.value = Math.max(bar.value, progress.share);
  if (progress.say) place.querySelector("[data-says]").textContent = progress.say;
}

/** This page as it would be now, a page that tells of a fault among them; null where none comes. */
async function fetched(body) {
  const answer = await fetch(body.dataset.address ?? location.href, { credentials: "same-origin", headers: FETCHED }).catch(() => null);
  const isPage = answer?.headers.get("Content-Type")?.startsWith("text/html");
  return isPage ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** Put the page in place as it would be now; false where none comes. */
async function refresh(body) {
  const page = await fetched(body);
  if (!page?.body.dataset.revision) return false;
  // What a notice offers to undo is the last thing no more.
  if (body.dataset.revision !== page.body.dataset.revision) document.querySelector("[data-notice] form")?.remove();
  const fresh = page.querySelector("main");
  const heading = document.querySelector("h1")?.textContent;
  const open = new Map([...document.querySelectorAll("main details")].map((one, at) => [one.id || at, one.open]));
  // What is there already doesn't come again.
  for (const one of fresh.querySelectorAll("[data-arrives]")) one.toggleAttribute("data-arrives", !document.getElementById(one.id));
  document.querySelector("main").replaceWith(fresh);
  [...fresh.querySelectorAll("details")].forEach((one, at) => (one.open = open.get(one.id || at) ?? one.open));
  if (fresh.querySelector("h1")?.textContent !== heading) readOut(fresh.querySelector("h1")?.textContent ?? "");
  body.dataset.revision = page.body.dataset.revision;
  body.toggleAttribute("data-waiting", "waiting" in page.body.dataset);
  document.title = page.title;
  prepare(fresh);
  return true;
}

/** Make all of a page, or of a part that was put in its place, do what it does beyond links and forms. */
export function prepare(root) {
  prepareClocks(root);
  prepareSteppers(root);
  prepareUploads(root);
  prepareFullScreen(root);
}
