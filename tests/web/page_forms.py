"""A form of a page as a browser would send it."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _Form(HTMLParser):
    def __init__(self, action: str) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.buttons: dict[str, list[str]] = {}
        self._action = action
        self._inside = False
        self._select = ""
        self._is_first = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        name, value = found.get("name") or "", found.get("value") or ""
        if tag == "form":
            self._inside = found.get("action") == self._action
        elif not self._inside:
            return
        elif tag == "input" and name and (found.get("type") not in ("checkbox", "radio") or "checked" in found):
            self.fields.setdefault(name, []).append(value)
        elif tag == "button" and name:
            self.buttons.setdefault(name, []).append(value)
        elif tag == "select":
            self._select, self._is_first = name, True
        elif tag == "option" and self._is_first:
            self.fields.setdefault(self._select, []).append(value)
            self._is_first = False
        elif tag == "option" and "selected" in found:
            self.fields[self._select][-1] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False


def form_fields(page: str, action: str, *, token: bool = False) -> dict[str, list[str]]:
    """What the form with that address would send as it was filled in by the table, without a button's name.

    Its `token`, which is another one on each page, is left out unless it is asked for.
    """
    form = _Form(action)
    form.feed(page)
    return {name: values for name, values in form.fields.items() if token or name != "token"}


def without_tokens(page: str) -> str:
    """A page without what makes it another one each time."""
    return re.sub(r'name="token" value="[^"]+"', "", page)


def form_buttons(page: str, action: str) -> dict[str, list[str]]:
    """The values of the named buttons of the forms with that address, by name."""
    form = _Form(action)
    form.feed(page)
    return form.buttons
