"""Whether games are kept: a setting that is said once and remembered in the user's data folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.history.opening import is_off
from companion.resources import data_folder
from companion.storage import remove_kept, write_private


@dataclass(frozen=True, slots=True)
class KeepingSetting:
    """Whether games are kept, and whether the user was told so; as it is before anything was said."""

    keep: bool = True
    told: bool = False


def setting_path() -> Path:
    """Where the setting lies."""
    return data_folder() / "history.json"


def load_setting(environment: Mapping[str, str]) -> KeepingSetting:
    """The setting in force; `COMPANION_HISTORY=off` counts before what is remembered. A damaged file is as none."""
    import msgspec

    try:
        kept = msgspec.json.decode(setting_path().read_bytes(), type=KeepingSetting)
    except (OSError, msgspec.MsgspecError):
        kept = KeepingSetting()
    return KeepingSetting(keep=False, told=True) if is_off(environment) else kept


def save_setting(setting: KeepingSetting) -> None:
    """Remember a setting. Raises what `write_private` raises."""
    import json

    write_private(setting_path(), json.dumps(asdict(setting)).encode())


def forget_setting() -> None:
    """Go back to the setting before anything was said. Raises UnusableInputError if the file cannot be removed."""
    remove_kept(setting_path())
