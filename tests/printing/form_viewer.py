"""A viewer of forms without a screen: what is typed into the fields of a PDF sets off the scripts that are in it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from pypdf import PdfReader

_RUN = """
(function () {
  var given = dukpy.form, values = given.values;
  function Field(name) { this.name = name; }
  Object.defineProperty(Field.prototype, "value", {
    // A viewer gives numbers for texts that are numbers.
    get: function () { var text = values[this.name]; return text !== "" && !isNaN(text) ? Number(text) : text; },
    set: function () { throw new Error("a script writes into another field"); }
  });
  var doc = { getField: function (name) { return name in values ? new Field(name) : null; } };
  function AFSimple_Calculate(how, names) {
    if (how !== "SUM") throw new Error(how);
    event.value = names.reduce(function (sum, name) { return sum + Number(values[name]); }, 0);
  }
  var event;
  given.typed.forEach(function (one) {
    values[one[0]] = one[1];
    given.order.forEach(function (name) {
      event = { value: values[name] };
      new Function("event", "AFSimple_Calculate", given.scripts[name]).call(doc, event, AFSimple_Calculate);
      values[name] = String(event.value);
    });
  });
  return values;
})()
"""


class FormViewer:
    """A form that is open: `values` by field as they are shown."""

    def __init__(self, pdf: bytes) -> None:
        reader = PdfReader(io.BytesIO(pdf))
        fields: Mapping[str, Any] = reader.get_fields() or {}
        form: Any = reader.trailer["/Root"]["/AcroForm"]  # type: ignore[index]
        self._order = [str(one.get_object()["/T"]) for one in form["/CO"]]
        self._scripts = {name: str(fields[name]["/AA"]["/C"]["/JS"]) for name in self._order}
        self._locked = {name for name, field in fields.items() if int(field.get("/Ff", 0)) & 1}
        self.values = {name: str(field.get("/V", "")) for name, field in fields.items()}

    def type(self, **typed: object) -> Mapping[str, str]:
        """Type values into fields, one after the other; what all fields show then."""
        # Not every run of the tests needs it, and not every place where they are looked at has it.
        import dukpy

        assert not self._locked & set(typed), "what the viewer alone works out"
        given = {
            "values": self.values,
            "scripts": self._scripts,
            "order": self._order,
            "typed": [[name, str(value)] for name, value in typed.items()],
        }
        self.values = dukpy.evaljs(_RUN, form=given)
        return self.values
