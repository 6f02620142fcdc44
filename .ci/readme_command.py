"""Print the Nth fenced command of the README's "Quick start"."""

import re
import sys
from pathlib import Path

readme = Path(__file__).parent.parent / "README.md"
section = readme.read_text("utf-8").split("\n## Quick start\n", 1)[1].split("\n## ", 1)[0]
commands = re.findall(r"```[a-z]*\n(.*?)\n```", section, flags=re.S)
print(commands[int(sys.argv[1]) - 1])
