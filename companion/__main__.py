"""`python -m companion` does what the `companion` script does."""

from companion.cli.main import run

if __name__ == "__main__":
    run()
