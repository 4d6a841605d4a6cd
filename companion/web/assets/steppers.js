// Numbers changed by taps: buttons beside the field, and its picture.

/** Make the buttons of all number fields work; they stay hidden where this never runs. */
export function prepareSteppers(root) {
  for (const stepper of root.querySelectorAll("[data-stepper]")) {
    const field = stepper.querySelector("input");
    for (const button of stepper.querySelectorAll("button[data-step]")) {
      button.hidden = false;
      button.addEventListener("click", () => step(field, Number(button.dataset.step)));
    }
  }
}

function step(field, by) {
  const least = Number(field.min || 0);
  const most = field.max === "" ? Infinity : Number(field.max);
  // Nothing known yet: one more of it is the first.
  const now = field.value === "" ? 0 : Number(field.value);
  field.value = String(Math.min(most, Math.max(least, now + by)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
