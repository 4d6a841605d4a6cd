// Photos are sent as soon as they are taken, with the share that has gone out, and again after the network was gone.

import { FETCHED } from "./fetched.js";
import { tell } from "./notice.js";

const UNUSABLE = 422;

/** What sends the photos of a form again that did not get through; a form is in here until they have. */
const waiting = new Map();

/** Make forms with photos send by themselves. */
export function prepareUploads(root) {
  for (const form of root.querySelectorAll("form[data-upload]")) {
    form.querySelector("button.send").hidden = true;
    for (const field of form.querySelectorAll("input[type=file]")) {
      field.addEventListener("change", () => {
        if (field.files.length && isTaken(form, field)) send(form, field.files);
      });
    }
  }
}

addEventListener("online", () => {
  for (const again of [...waiting.values()]) again?.();
});

// A page that is pulled down is loaded anew, and with it a photo would be lost that is not there yet.
addEventListener("beforeunload", (event) => {
  if (waiting.size) event.preventDefault();
});

/** Bytes of a form around each photo, and no fewer. */
const AROUND = 1000;

/** Whether photos are within the limits; where they are not it is said, and nothing is sent for minutes in vain. */
function isTaken(form, field) {
  const sizes = [...field.files].map((file) => file.size);
  const over = {
    number: sizes.length > form.dataset.mostPhotos,
    photo: Math.max(...sizes) > form.dataset.mostPhotoBytes,
    all: sizes.reduce((sum, size) => sum + size + AROUND, 0) > form.dataset.mostBytes,
  };
  const first = Object.keys(over).find((name) => over[name]);
  for (const words of form.querySelectorAll("[data-over]")) {
    words.hidden = true;
    if (words.dataset.over === first) tell(words);
  }
  if (first) {
    form.querySelector("[data-unsent]").hidden = true;
    // The same photo, made smaller under its name, is a change again.
    field.value = "";
  }
  return !first;
}

function send(form, files) {
  const sending = form.querySelector("[data-sending]");
  const unsent = form.querySelector("[data-unsent]");
  const again = form.querySelector("button.send");
  const bar = sending.querySelector("progress");
  const data = new FormData();
  for (const file of files) data.append("photos", file);
  const request = new XMLHttpRequest();
  const failed = () => {
    sending.hidden = true;
    tell(unsent);
    again.hidden = false;
    const once = () => waiting.get(form) === once && send(form, files);
    waiting.set(form, once);
    again.onclick = (event) => {
      event.preventDefault();
      once();
    };
  };
  unsent.hidden = true;
  again.hidden = true;
  tell(sending);
  bar.value = 0;
  waiting.set(form, null);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
  });
  request.addEventListener("error", failed);
  request.addEventListener("timeout", failed);
  request.addEventListener("load", () => {
    // An answer from elsewhere is the photo's own page, whatever it says: it was read, or could not be.
    if (request.status < 400 || request.responseURL !== form.action) {
      waiting.delete(form);
      location.assign(request.responseURL);
    } else if (request.responseXML?.querySelector("[role=alert]")) {
      // The page says what is wrong with the photo.
      unsent.textContent = request.responseXML.querySelector("[role=alert]").textContent;
      failed();
      if (request.status === UNUSABLE) {
        waiting.delete(form);
        again.hidden = true;
      }
    } else {
      failed();
    }
  });
  request.open("POST", form.action);
  request.responseType = "document";
  for (const [name, value] of Object.entries(FETCHED)) request.setRequestHeader(name, value);
  request.send(data);
}
