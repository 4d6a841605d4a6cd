"""What the rules say of a djinn, a tribe, a tile, a card: a page each, to which their names lead, and a list of all."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.printing.core.rule_texts import rule_text, topic_names
from companion.web.pages.visit import Visit, get, own_path


async def _rules(visit: Visit) -> Response:
    """What can be asked."""
    kinds = {kind: [(name, rule_text(name, visit.language)) for name in names] for kind, names in topic_names().items()}
    return visit.page("rules.html", kinds=kinds, text=None, back="/")


async def _rule(visit: Visit) -> Response:
    """What the rules say of one thing, and the way back to the page that named it."""
    name = visit.param("name")
    if not any(name in names for names in topic_names().values()):
        raise HTTPException(404)
    back = own_path(visit.request.query_params.get("from", "/rules"))
    return visit.page("rules.html", kinds={}, text=rule_text(name, visit.language), back=back)


ROUTES = (get("/rules", _rules), get("/rules/{name}", _rule))
