"""Checks that each query of the dashboards has data in a running Prometheus. Argument: its address."""

import json
import sys
import urllib.parse
import urllib.request
from pathlib import Path

from metrics import panel_expressions, used_metrics
from running import OCCASIONAL

ROOT = Path(__file__).resolve().parents[4]


def number_of_series(address, expression):
    query = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"{address}/api/v1/query?{query}", timeout=10) as response:
        return len(json.load(response)["data"]["result"])


def main(address):
    empty = [
        f"{place}: no data for {expression}"
        for place, expression in panel_expressions(ROOT)
        if not used_metrics(expression) & OCCASIONAL and not number_of_series(address, expression)
    ]
    print("\n".join(empty))
    return 1 if empty else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
