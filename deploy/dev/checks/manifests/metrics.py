"""Checks that the metrics of dashboards and alerts exist in the programs, and that each alert has a runbook and a test."""

import json
import re

import yaml
from rules import PROGRAMS

# Type of the instrument, its name, and what Prometheus appends.
INSTRUMENT = re.compile(
    r'(Counter::new|Gauge::new|Gauge::seconds|DurationHistogram::new|u64_observable_gauge)\(\s*"([a-z_.]+)"', re.S
)
SUFFIXES = {
    "Counter::new": ["_total"],
    "Gauge::new": [""],
    "u64_observable_gauge": [""],
    "Gauge::seconds": ["_seconds"],
    "DurationHistogram::new": ["_seconds_bucket", "_seconds_sum", "_seconds_count"],
}
# Added by Prometheus for each process that it reads.
BUILT_IN = {"up"}
KEYWORDS = {"and", "or", "unless", "bool"}
OFFSET = re.compile(r"\boffset\s+\w+")
GROUPING = re.compile(r"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)")
NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*(?!\s*\(|[a-zA-Z0-9_:])")


def defined_metrics(root):
    """Returns the names of all metrics in the source of the programs, as Prometheus shows them."""
    names = set(BUILT_IN)
    for folder in ("services", "gateway/src"):
        for path in (root / folder).rglob("src/**/*.rs") if folder == "services" else (root / folder).rglob("*.rs"):
            for kind, name in INSTRUMENT.findall(path.read_text()):
                names |= {name.replace(".", "_") + suffix for suffix in SUFFIXES[kind]}
    return names


def used_metrics(expression):
    """Returns the names of the metrics in an expression of PromQL."""
    text = re.sub(r'"[^"]*"', "", expression)
    text = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", text)
    text = OFFSET.sub("", GROUPING.sub("", text))
    return {name for name in NAME.findall(text) if name not in KEYWORDS}


def _rules(root):
    groups = yaml.safe_load((root / "deploy/observability/alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expressions(root):
    """Yields the expressions of alerts and dashboards, each with the name of its alert or panel."""
    for rule in _rules(root):
        yield rule["alert"], rule["expr"]
    yield from panel_expressions(root)


def panel_expressions(root):
    """Yields the expressions of dashboards, each with the name of its panel."""
    for path in sorted((root / "deploy/observability/grafana/dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel["targets"]:
                yield f"{path.name}: {panel['title']}", target["expr"]


def check_observability(root):
    defined = defined_metrics(root)
    for place, expression in expressions(root):
        used = used_metrics(expression)
        if not used:
            yield f"{place}: names no metric"
        for name in sorted(used - defined):
            yield f"{place}: no program has the metric {name}"
    yield from _check_alerts(root, _rules(root))


def _check_alerts(root, rules):
    headings = set(re.findall(r"^## (\w+)$", (root / "docs/runbooks.md").read_text(), re.M))
    tests = (root / "deploy/observability/alerts.test.yml").read_text()
    for rule in rules:
        name = rule["alert"]
        if name not in headings or rule["annotations"].get("runbook") != f"docs/runbooks.md#{name.lower()}":
            yield f"{name}: has no section in docs/runbooks.md"
        if f"alertname: {name}\n        exp_alerts:\n          - exp_labels" not in tests:
            yield f"{name}: no test fires it"
    listed = next(re.findall(r'"service", "([a-z-]+)"', rule["expr"]) for rule in rules if rule["alert"] == "ServiceDown")
    if sorted(listed) != sorted(PROGRAMS):
        yield f"ServiceDown: lists {listed}"
    for name in sorted(headings - {rule["alert"] for rule in rules}):
        yield f"docs/runbooks.md: {name} is no alert"
