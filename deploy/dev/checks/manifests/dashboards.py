"""Checks the dashboards of Grafana with the data types of its release, and that their data sources and folder are provisioned."""

import json
from itertools import combinations

import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.cog.runtime import panelcfg_config
from grafana_foundation_sdk.models.dashboard import Dashboard
from settings import compose_services

register_default_plugins()
FOLDER = "deploy/observability/grafana"


def dashboards(root):
    """Yields each dashboard with the name of its file."""
    for path in sorted((root / FOLDER / "dashboards").glob("*.json")):
        yield path.name, json.loads(path.read_text())


def check_dashboards(root):
    sources = {source["uid"] for source in _provisioning(root, "datasources")["datasources"]}
    uids = []
    for name, dashboard in dashboards(root):
        uids.append(dashboard["uid"])
        yield from (f"{name}: {finding}" for finding in check_dashboard(dashboard, sources))
    if len(set(uids)) != len(uids):
        yield f"{FOLDER}: two dashboards have the same uid"
    yield from _check_folder(root)


def check_dashboard(dashboard, sources):
    """Returns the findings of one dashboard. `sources` are the ids of the provisioned data sources."""
    findings = list(_differences(dashboard, _known_fields(dashboard)))
    panels = dashboard["panels"]
    for panel in panels:
        title = panel["title"]
        if panelcfg_config(panel["type"]) is None:
            findings.append(f"{title}: Grafana has no panel {panel['type']}")
        if panel["datasource"]["uid"] not in sources:
            findings.append(f"{title}: the data source {panel['datasource']['uid']} is not provisioned")
    for first, second in combinations(panels, 2):
        if first["id"] == second["id"]:
            findings.append(f"{second['title']}: has the id of {first['title']}")
        if _overlap(first["gridPos"], second["gridPos"]):
            findings.append(f"{second['title']}: covers {first['title']}")
    return findings


def _known_fields(dashboard):
    """Returns the fields of a dashboard that Grafana knows."""
    return json.loads(JSONEncoder().encode(Dashboard.from_json(dashboard)))


def _differences(ours, known, place="dashboard"):
    if isinstance(ours, dict):
        for key, value in ours.items():
            if isinstance(known, dict) and key in known:
                yield from _differences(value, known[key], f"{place}.{key}")
            else:
                yield f"{place}: Grafana has no field {key}"
    elif isinstance(ours, list) and isinstance(known, list) and len(ours) == len(known):
        for index, (entry, other) in enumerate(zip(ours, known)):
            yield from _differences(entry, other, f"{place}[{index}]")
    elif ours != known:
        yield f"{place}: Grafana reads {ours!r} as {known!r}"


def _overlap(first, second):
    def share(start, length):
        return first[start] < second[start] + second[length] and second[start] < first[start] + first[length]

    return share("x", "w") and share("y", "h")


def _check_folder(root):
    """Compose mounts the dashboards where the provisioning expects them."""
    volumes = compose_services(root)["grafana"]["volumes"]
    mounted = {target for volume in volumes for source, target, *_ in [volume.split(":")] if source.endswith("/dashboards")}
    for provider in _provisioning(root, "dashboards")["providers"]:
        if provider["options"]["path"] not in mounted:
            yield f"{FOLDER}: docker-compose.yml does not mount {provider['options']['path']}"


def _provisioning(root, kind):
    path, = (root / FOLDER / "provisioning" / kind).glob("*.yml")
    return yaml.safe_load(path.read_text())
