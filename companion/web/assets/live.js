// A page that follows the table: what others change appears, and what the computer works on is shown as it goes.
import { prepareSteppers } from "./steppers.js";
import { prepareUploads } from "./upload.js";

/** Listen to the events that a page names in `data-events`. */
export function follow(body) {
  const address = body.dataset.events;
  if (!address) return;
  const events = new EventSource(address);
  const waiting = "waiting" in body.dataset;
  let typed = false;
  document.addEventListener("input", () => (typed = true));
  document.querySelector("[data-reload]").addEventListener("click", () => location.reload());

  events.addEventListener("changed", (event) => {
    if (event.data === body.dataset.revision) return;
    if (typed || document.querySelector("details[open] form :focus")) {
      document.getElementById("changed").hidden = false;
    } else {
      body.dataset.revision = event.data;
      refresh(body);
    }
  });
  events.addEventListener("progress", (event) => show(JSON.parse(event.data)));
  for (const end of ["done", "failed", "hint"]) {
    events.addEventListener(end, () => {
      if (waiting) location.reload();
    });
  }
  // Back from the dark: whatever was missed is fetched.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  addEventListener("pagehide", () => events.close());
}

function show(progress) {
  const place = document.querySelector("[data-progress]");
  if (!place) return;
  place.querySelector("progress").value = progress.share;
  if (progress.say) place.querySelector("[data-says]").textContent = progress.say;
}

async function refresh(body) {
  const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  if (!answer || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("main");
  const open = [...document.querySelectorAll("main details")].map((one) => one.open);
  document.querySelector("main").replaceWith(fresh);
  [...fresh.querySelectorAll("details")].forEach((one, at) => (one.open = open[at] ?? one.open));
  if (page.body.dataset.revision) body.dataset.revision = page.body.dataset.revision;
  document.title = page.title;
  prepareSteppers(fresh);
  prepareUploads(fresh);
}
