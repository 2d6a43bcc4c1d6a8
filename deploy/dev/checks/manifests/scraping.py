"""Checks that Prometheus finds the pods of the rendered manifests, with the labels that the alerts use, and nothing else.

promtool applies the rules of prometheus-kubernetes.yml to the labels that Prometheus would discover for these pods. The promtool of
Debian is built without discovery in Kubernetes, so the pods are static targets.
"""

import copy
import json
import re
import subprocess
import tempfile
from pathlib import Path

import yaml
from kustomization import containers_of
from rules import PROGRAMS

CONFIG = "deploy/observability/prometheus-kubernetes.yml"
JOB = "orderahead"


def check_scraping(root, objects):
    """Every Deployment is read once, at its port for metrics. Jobs and ended pods are not read."""
    config = yaml.safe_load((root / CONFIG).read_text())
    job = next(job for job in config["scrape_configs"] if job["job_name"] == JOB)
    found = scraped(job, [target for item in objects for target in discovered(item)])
    expected = {program: (f"{program}-0", "10.0.0.1:9464") for program in PROGRAMS}
    for program in sorted(expected.keys() | {labels.get("service", "no service") for labels in found}):
        targets = [(labels.get("instance"), labels.get("__address__")) for labels in found if labels.get("service", "no service") == program]
        if targets != [expected.get(program)]:
            yield f"{CONFIG}: {program} is read at {targets}"


def discovered(item, phase="Running"):
    """Returns the labels that Prometheus discovers for a pod of a workload, one set for each port, or one if it has none."""
    if item["kind"] not in ("Deployment", "Job"):
        return
    template = item["spec"]["template"]["metadata"]
    name = item["metadata"]["name"]
    pod = {"__meta_kubernetes_pod_name": f"{name}-0", "__meta_kubernetes_pod_phase": phase, "__address__": "10.0.0.1"}
    pod |= {_meta("label", key): value for key, value in template.get("labels", {}).items()}
    pod |= {_meta("annotation", key): value for key, value in template.get("annotations", {}).items()}
    ports = [port for container in containers_of(item) for port in container.get("ports", [])]
    if not ports:
        yield pod
    for port in ports:
        yield pod | {"__meta_kubernetes_pod_container_port_name": port["name"], "__address__": f"10.0.0.1:{port['containerPort']}"}


def _meta(kind, key):
    return f"__meta_kubernetes_pod_{kind}_{re.sub('[^a-zA-Z0-9_]', '_', key)}"


def scraped(job, targets):
    """Returns the labels of the targets that a job reads."""
    job = copy.deepcopy(job)
    del job["kubernetes_sd_configs"]
    # The address is not a label of a static target.
    job["static_configs"] = [
        {"targets": [labels["__address__"]], "labels": {key: value for key, value in labels.items() if key != "__address__"}}
        for labels in targets
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prometheus.yml"
        path.write_text(yaml.safe_dump({"scrape_configs": [job]}))
        command = ["promtool", "check", "service-discovery", "--timeout=2s", str(path), job["job_name"]]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [target["labels"] for target in json.loads(output) if target.get("labels")]
