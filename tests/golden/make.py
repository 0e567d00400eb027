"""Write the golden files anew: `python -m tests.golden.make`.

Only when draws are meant to change. Changed streams void every checkpoint, and no test but these notices.
"""

import json
from pathlib import Path

from tests.golden.traces import TRACES

FOLDER = Path(__file__).parent


def main():
    for name, traces in TRACES.items():
        entries = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in traces().items()]
        text = "{\n" + ",\n".join(entries) + "\n}\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
