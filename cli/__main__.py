"""``python -m cli`` is the program ``bridzik``."""

from cli.main import main

main()
