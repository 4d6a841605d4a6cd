#!/bin/sh
# Installs what the program needs: what is missing of Debian's packages, then Python packages into .venv, a virtual
# environment of the project's own. Nothing is installed again while nothing has changed.
#   sh setup.sh         to use the program
#   sh setup.sh test    to run its tests, lint and types as well
set -eu
cd "$(dirname "$0")"
purpose=${1:-use}
say() { printf '%s\n' "$*"; }

# --- Python
works() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
python=""
for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if works "$candidate"; then python=$candidate && break; fi
done
if [ -z "$python" ]; then
    say "Python 3.11 or newer is needed and was not found. Install it (Debian and Ubuntu: apt-get install python3),"
    say "or say where it is: make PYTHON=/path/to/python3" && exit 1
fi

# --- Debian's packages
has_pip() { .venv/bin/python -m pip --version; }
can_make_venv() { has_pip || "$python" -c 'import ensurepip'; }
has_language() { tesseract --list-langs 2>&1 | grep -qx "$1"; }
need() { # PACKAGE WHAT-FOR COMMAND...: notes the package unless the command succeeds
    package=$1 reason=$2
    shift 2
    "$@" >/dev/null 2>&1 || { missing="$missing $package" && reasons="$reasons$package: $reason
"; }
}
has_browser() { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome; }
look() {
    missing="" reasons=""
    need python3-venv "makes the virtual environment" can_make_venv
    need tesseract-ocr "reads the names on djinn cards" command -v tesseract
    need tesseract-ocr-rus "reads djinn cards in Russian" has_language rus
    need tesseract-ocr-ukr "reads djinn cards in Ukrainian" has_language ukr
    need tesseract-ocr-kor "reads djinn cards in Korean" has_language kor
    [ "$purpose" != test ] || need poppler-utils "turns PDF pages into pictures for tests" command -v pdftoppm
    [ "$purpose" != test ] || need librsvg2-bin "turns SVG pictures into pixels for tests" command -v rsvg-convert
    [ "$purpose" != test ] || need chromium-headless-shell "shows the pages for phones to tests" has_browser
}
declined=.venv/declined # the packages that somebody said no to, so that it is asked once
may_install() { # shows what the administrator would run, and asks
    say "To install them, this would run:  $1"
    printf 'Run it now? It asks for your password. [y/N] '
    read -r answer || answer=""
    case "$answer" in [yY]*) ;; *) said_no=$missing && return 1 ;; esac
}
install_packages() {
    command="apt-get install -y --no-install-recommends$missing"
    as_root=""
    if ! command -v apt-get >/dev/null; then
        say "This system has no apt-get; please install them in its own way." && return
    elif [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "That needs the administrator; please run as root:  $command" && return
        elif [ ! -t 0 ]; then
            say "That needs the administrator; please run:  sudo $command" && return
        fi
        as_root=sudo
        may_install "sudo apt-get update && sudo $command" || return 0
    else
        say "Installing them from Debian's packages:  $command"
    fi
    log=$(mktemp)
    $as_root apt-get update >"$log" 2>&1 || true
    # Where Chromium comes whole alone; the shell starts and draws in half the time.
    apt-cache show chromium-headless-shell >/dev/null 2>&1 || missing=$(echo "$missing" | sed 's/-headless-shell//')
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends \
        $missing >>"$log" 2>&1 </dev/null || { say "That did not work:" && tail -n 5 "$log"; }
    rm -f "$log"
}
said_no="" beside=""
look
if [ -n "$missing" ]; then
    if [ "$(cat "$declined" 2>/dev/null)" != "$missing" ]; then
        say "Missing on this machine:" && printf '%s' "$reasons" | sed 's/^/  /'
        # Beside Python's packages, unless those wait for python3-venv, or somebody has to be asked.
        case "$(id -u)$missing" in
        0*python3-venv* | [1-9]*) install_packages && look ;;
        *) install_packages & beside=$! ;;
        esac
    fi
    case "$missing" in *python3-venv*)
        say "Without python3-venv (or what $python calls it) nothing can be installed. Once it is there, run this again."
        exit 1 ;;
    esac
fi
settle() { # waits for Debian's packages, and says what is missing still
    [ -z "$beside" ] || { wait "$beside" && look; }
    [ -z "$missing" ] || say "Going on without$missing; the program says so where it is needed."
}

# --- Python packages
case "$purpose" in test) wanted='.[test]' ;; *) wanted='.' ;; esac
current() {
    { pwd && cat pyproject.toml requirements.lock companion/__init__.py && .venv/bin/python --version; } 2>/dev/null | cksum
}
fresh() { [ "$(cat ".venv/installed-$1" 2>/dev/null)" = "$(current)" ]; }
note_no() { [ -z "$said_no" ] || printf '%s' "$said_no" >"$declined"; }
# Catalogues that have changed; and modules, once, since not every environment lets Python keep what it compiles, and
# each command would do it anew.
compile() { .venv/bin/python hatch_build.py && .venv/bin/python -m compileall -q companion || true; }
if fresh test || { [ "$purpose" = use ] && fresh use; }; then compile && note_no && settle && exit 0; fi
if ! has_pip >/dev/null 2>&1; then
    say "Making a virtual environment in .venv"
    "$python" -m venv --clear .venv
fi
note_no
install() { .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$wanted"; }
say "Installing Python packages into .venv (about a minute the first time)"
# Both names, since pip 25.3 takes the second for what only builds the package.
if ! PIP_CONSTRAINT=requirements.lock PIP_BUILD_CONSTRAINT=requirements.lock install; then
    say "The versions in requirements.lock do not install here; trying the newest that pyproject.toml allows."
    install || {
        say "The Python packages could not be installed, see above; they come from pypi.org, so a network is needed once."
        exit 1
    }
fi
current >".venv/installed-$purpose"
compile
settle
