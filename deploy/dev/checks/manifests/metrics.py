"""Checks that the metrics of dashboards and alerts exist in the programs, that the tables in docs/operations.md list all metrics and
alerts, and that each alert has a runbook and a test."""

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
    suffixed = ({name + suffix for suffix in SUFFIXES[kind]} for kind, name in _instruments(root))
    return set(BUILT_IN).union(*suffixed)


def _instruments(root):
    """Yields the type and the name of each instrument, with underscores for dots. Unit tests, at the end of a file, may define others."""
    for folder in ("services", "gateway/src"):
        for path in (root / folder).rglob("src/**/*.rs") if folder == "services" else (root / folder).rglob("*.rs"):
            for kind, name in INSTRUMENT.findall(path.read_text().partition("#[cfg(test)]")[0]):
                yield kind, name.replace(".", "_")


def base_name(name):
    """Returns the name of a metric without the suffixes of histograms."""
    return re.sub(r"_(bucket|sum|count)$", "", name) if re.search(r"_seconds_(bucket|sum|count)$", name) else name


def listed_metrics(text):
    """Returns the names in the first column of the table of metrics."""
    rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", text, re.M)
    return {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}


def check_tables(text, defined, rules):
    """The tables of docs/operations.md list each metric, and each alert with its severity."""
    listed, existing = listed_metrics(text), {base_name(name) for name in defined - BUILT_IN}
    yield from (f"docs/operations.md: the metric {name} is not listed" for name in sorted(existing - listed))
    yield from (f"docs/operations.md: no program has the metric {name}" for name in sorted(listed - existing))
    alerts = re.findall(r"^\| ([A-Z]\w+) \| (page|ticket) \|", text, re.M)
    expected = [(rule["alert"], rule["labels"]["severity"]) for rule in rules]
    yield from (f"docs/operations.md: the alert {name} ({severity}) is not listed" for name, severity in expected if (name, severity) not in alerts)
    yield from (f"docs/operations.md: {name} ({severity}) is no alert" for name, severity in alerts if (name, severity) not in expected)


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
    yield from check_tables((root / "docs/operations.md").read_text(), defined, _rules(root))
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
