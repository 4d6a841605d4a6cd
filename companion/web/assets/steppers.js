// Numbers changed by taps: buttons beside the field, its picture, or the field itself; and fields that are left when full.

/** Make the buttons of all number fields work; they stay hidden where this never runs. */
export function prepareSteppers(root) {
  for (const field of root.querySelectorAll("[data-tapped]")) {
    // No keyboard comes up for it; after the most there can be it is empty again.
    field.inputMode = "none";
    field.addEventListener("click", () => (field.value = field.value === field.max ? "" : Number(field.value) + 1));
  }
  const typed = [...root.querySelectorAll("[data-figures]")];
  for (const field of typed) field.addEventListener("input", () => goOn(field, typed));
  for (const stepper of root.querySelectorAll("[data-stepper]")) {
    const field = stepper.querySelector("input");
    for (const button of stepper.querySelectorAll("button[data-step]")) {
      button.hidden = false;
      button.addEventListener("click", () => step(field, Number(button.dataset.step)));
    }
  }
}

const ANOTHER_FIGURE_MS = 900;

/** On to the next field once as many figures are typed as it mostly has; after a 1 another may come. */
function goOn(field, typed) {
  const now = field.value;
  if (!/^\d+$/.test(now) || now.length < field.dataset.figures) return;
  const next = () => field.value === now && document.activeElement === field && typed[typed.indexOf(field) + 1]?.focus();
  if (now === "1") setTimeout(next, ANOTHER_FIGURE_MS);
  else next();
}

function step(field, by) {
  const least = Number(field.min || 0);
  const most = field.max === "" ? Infinity : Number(field.max);
  // Nothing known yet: one more of it is the first.
  const now = field.value === "" ? 0 : Number(field.value);
  field.value = String(Math.min(most, Math.max(least, now + by)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
