"""Checks that running programs export the metrics of dashboards and alerts. Arguments: the addresses of their /metrics."""

import re
import sys
import urllib.request
from pathlib import Path

from metrics import BUILT_IN, base_name, expressions, listed_metrics, used_metrics

ROOT = Path(__file__).resolve().parents[4]
# Exported after the first event, which most runs do not have.
OCCASIONAL = {"stores_capacity_conflicts_total", "accounts_message_attempts_total", "gift_cards_delivery_attempts_total"}

# Describes the process and the library.
ADDED_BY_LIBRARY = {"target_info", "otel_scope_info"}


def exported_metrics(address):
    """Returns the names of the metrics at an address."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=10) as response:
        return set(re.findall(r"^([a-z_:][a-z0-9_:]*)[{ ]", response.read().decode(), re.M | re.I))


def main(addresses):
    exported = set().union(*map(exported_metrics, addresses))
    missing = [
        f"{place}: no process exports {name}"
        for place, expression in expressions(ROOT)
        for name in sorted(used_metrics(expression) - BUILT_IN - OCCASIONAL - exported)
    ]
    listed = listed_metrics((ROOT / "docs/operations.md").read_text())
    unlisted = sorted({base_name(name) for name in exported} - listed - ADDED_BY_LIBRARY)
    missing += [f"docs/operations.md: the metric {name} is not listed" for name in unlisted]
    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
