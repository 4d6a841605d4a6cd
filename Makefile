# make, make demo    install what is needed and run the main job on samples/: what it makes goes to out/
# make test          install what the tests need and run the first tier of them, in five minutes
# make test-all      both tiers: every print in every language, browsers' long walks, the lab, fuzz (20 minutes)
# make lint          ruff and mypy, the package as Windows sees it too
# make bench         how fast the commands are, as whole cold processes, and the rules
# make accuracy      how well photos are read, into docs/accuracy.md; RENDERED="FOLDER ..." held-out photos, see docs/training.md
# make mutants       how many of 450 random mutants the first tier of tests notices (an hour or two)
# make strength      400 games of each match of the bots, into docs/strength.csv (hours); WORKERS=2 GAMES=40 try less
# make fuzz          20,000 spoilt inputs of every class on whole commands (half an hour); SEED=2 tries others
# make kills         200 commands that write, killed at any moment (a quarter of an hour)
# make pictures      draw the README's pictures in docs/images anew
# make words         gather what the program says, and bring the catalogues in templates/locales up to date
# make fonts         make the package's fonts of its own anew (needs Debian's fonts-nanum)
# make icons         make the PNG icons of the phone page anew after a change of its icon.svg
# make lock          the newest versions that pyproject.toml allows into requirements.lock, which setup.sh installs
# make clean         remove out/ and everything that was installed into .venv

PYTHON ?=
export PYTHON
# Where the environment forbids it, each of the many commands that tests start would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
companion := .venv/bin/companion
python := .venv/bin/python
step = @printf '\n%s\n'

PHOTO ?= samples/mid.jpg
PHOTOS ?= ../shared/photos
RENDERED ?=
HELD_OUT ?= 80
SEED ?= 1
GAMES ?= 400
WORKERS ?= 1
MATCHES ?=

.PHONY: demo test test-all lint types types-windows bench accuracy mutants strength fuzz kills pictures words fonts icons lock clean setup setup-test

demo: setup
	@mkdir -p out
	$(step) '1. A photo of the table: what lies on it, and what was read drawn on the photo'
	@$(companion) read $(PHOTO) --output out/position.toml --overlay out/overlay.jpg --force > out/board.txt
	$(step) '2. The same table after a turn: which turn it was, recorded'
	@COMPANION_HISTORY=off $(companion) record samples/mid.toml samples/after.jpg --no-ask --output out/game.txt --force
	@tail -n 1 out/game.txt
	$(step) '3. The points as they stand, on a sheet too'
	@$(companion) score out/game.txt --pdf out/score.pdf --force > out/points.txt
	@awk -v RS= 'NR == 2 || NR == 3' out/points.txt
	$(step) '4. A hint for who is next'
	@$(companion) hint out/game.txt --no-ask --top 3 --picture out/turn.png --force > out/hint.txt
	@awk -v RS= 'NR > 1' out/hint.txt
	$(step) '5. A pad of score sheets for the next game'
	@$(companion) sheet --output out/sheet.pdf --force
	@printf '\nAlso in out/: board.txt, points.txt and hint.txt, all that was said.\n'
	@printf 'With a photo of your own:  make demo PHOTO=table.jpg   or  $(companion) hint table.jpg\n'
	@printf 'To type just companion from now on:  . .venv/bin/activate\n'

test: setup-test
	$(python) -m pytest --numprocesses logical --maxprocesses 4 --dist worksteal

test-all: setup-test
	$(python) -m pytest --all --numprocesses logical --maxprocesses 4 --dist worksteal

# Both at once, a core each, since neither has anything that the other needs.
lint: setup-test
	$(python) -m ruff check .
	$(python) -m ruff format --check .
	@$(MAKE) --no-print-directory --jobs 2 types types-windows

types:
	$(python) -m mypy

types-windows:
	$(python) -m mypy --platform win32 --cache-dir .mypy_cache/win32 companion

bench: setup
	$(python) tests/benchmarks/speed.py
	$(python) -m tests.benchmarks.engine

accuracy: setup-test
	$(python) docs/accuracy.py $(PHOTOS) --rendered $(RENDERED) --held-out $(HELD_OUT)

mutants: setup-test
	$(python) -m pip install --quiet --disable-pip-version-check 'pytest-cov>=7,<8'
	$(python) -m tests.mutants core --count 300
	$(python) -m tests.mutants rest --count 150

strength: setup-test
	$(python) -m companion.lab strength docs/strength.csv --games $(GAMES) --workers $(WORKERS) $(MATCHES)

fuzz: setup-test
	$(python) -m tests.fuzz --inputs 20000 --seed $(SEED) --jobs 2

kills: setup-test
	$(python) -m tests.fuzz.kills --count 200 --seed $(SEED)

pictures: setup-test
	$(python) docs/pictures.py

words: setup-test
	$(python) -m tests.language.words

fonts: setup-test
	$(python) docs/fonts.py

icons: setup-test
	$(python) docs/icons.py

lock: setup-test
	.ci/lock

clean:
	rm -rf .venv out

setup:
	@sh setup.sh

setup-test:
	@sh setup.sh test
