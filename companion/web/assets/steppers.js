// Numbers changed by taps: buttons beside the field, its picture, or the field itself; and the way from field to field.

/** Make the buttons of all number fields work; they stay hidden where this never runs. */
export function prepareSteppers(root) {
  for (const form of root.querySelectorAll("form[data-ticked]")) {
    // What is sent of it has to be ticked first.
    const look = () => (form.querySelector("button").disabled = !form.querySelector(":checked"));
    form.addEventListener("change", look);
    look();
  }
  for (const field of root.querySelectorAll("[data-tapped]")) {
    // No keyboard comes up for it; after the most there can be it is empty again.
    field.inputMode = "none";
    field.addEventListener("click", () => (field.value = field.value === field.max ? "" : Number(field.value) + 1));
  }
  const typed = [...root.querySelectorAll("[data-of]")];
  for (const field of typed) field.addEventListener("keydown", (event) => goOn(event, typed));
  for (const stepper of root.querySelectorAll("[data-stepper]")) {
    const field = stepper.querySelector("input");
    for (const button of stepper.querySelectorAll("button[data-step]")) {
      button.hidden = false;
      button.addEventListener("click", () => step(field, Number(button.dataset.step)));
    }
  }
}

/** On to the next player's field by Enter, or a keyboard's "next"; past columns that aren't named where others are. */
function goOn(event, typed) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const names = [...event.target.form.querySelectorAll("[data-names]")];
  const named = names.filter((name) => name.value.trim()).map((name) => name.dataset.names);
  const rest = typed.slice(typed.indexOf(event.target) + 1);
  (rest.find((field) => !named.length || named.includes(field.dataset.of)) ?? event.target).focus();
}

function step(field, by) {
  const least = Number(field.min || 0);
  const most = field.max === "" ? Infinity : Number(field.max);
  // Nothing known yet: one more of it is the first.
  const now = field.value === "" ? 0 : Number(field.value);
  field.value = String(Math.min(most, Math.max(least, now + by)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
