"""Renders the part of Kustomize that deploy/kubernetes uses: resources, components, namespace, labels, images and patches.

An unknown field is an error, so that no part of a kustomization is silently left out.
"""

import copy
import re
from pathlib import Path

import yaml

FIELDS = {"apiVersion", "kind", "resources", "components", "namespace", "labels", "images", "patches"}


class KustomizationError(Exception):
    pass


def render(folder):
    """Returns the objects of a kustomization."""
    return _build(Path(folder).resolve(), [])


def _build(folder, objects):
    path = folder / "kustomization.yaml"
    if not path.is_file():
        raise KustomizationError(f"{folder}: has no kustomization.yaml")
    config = yaml.safe_load(path.read_text())
    unknown = set(config) - FIELDS
    if unknown:
        raise KustomizationError(f"{path}: the check does not know {', '.join(sorted(unknown))}")
    for resource in config.get("resources", []):
        source = folder / resource
        objects = objects + (_build(source, []) if source.is_dir() else _read(source))
    for component in config.get("components", []):
        objects = _build(folder / component, objects)
    for patch in config.get("patches", []):
        _apply_patch(folder, patch, objects)
    for item in objects:
        _transform(config, item)
    return objects


def _read(path):
    if not path.is_file():
        raise KustomizationError(f"{path}: does not exist")
    return [item for item in yaml.safe_load_all(path.read_text()) if item]


def _transform(config, item):
    metadata = item["metadata"]
    if "namespace" in config:
        if item["kind"] == "Namespace":
            metadata["name"] = config["namespace"]
        else:
            metadata["namespace"] = config["namespace"]
    for entry in config.get("labels", []):
        if set(entry) != {"pairs"}:
            raise KustomizationError("labels: the check knows only pairs")
        metadata.setdefault("labels", {}).update(entry["pairs"])
    images = {image["name"]: image for image in config.get("images", [])}
    for container in containers_of(item):
        image = images.get(container["image"].split(":")[0])
        if image:
            container["image"] = f"{image.get('newName', image['name'])}:{image['newTag']}"


def containers_of(item):
    """Returns the containers of a workload, and an empty list for other objects."""
    pod = item.get("spec", {}).get("template", {}).get("spec", {}) if isinstance(item.get("spec"), dict) else {}
    return pod.get("containers", []) + pod.get("initContainers", [])


def _apply_patch(folder, entry, objects):
    text = (folder / entry["path"]).read_text() if "path" in entry else entry["patch"]
    patch = yaml.safe_load(text)
    target = entry.get("target") or {"kind": patch["kind"], "name": patch["metadata"]["name"]}
    selected = [item for item in objects if _is_selected(item, target)]
    if not selected:
        raise KustomizationError(f"{folder}: no object matches the patch of {target}")
    for item in selected:
        if isinstance(patch, list):
            _apply_operations(item, patch)
        else:
            changes = {key: value for key, value in patch.items() if key not in ("apiVersion", "kind", "metadata")}
            _merge(item, copy.deepcopy(changes))


def _is_selected(item, target):
    unknown = set(target) - {"kind", "name", "labelSelector"}
    if unknown:
        raise KustomizationError(f"target: the check does not know {', '.join(sorted(unknown))}")
    if not re.fullmatch(target.get("kind", ".*"), item["kind"]):
        return False
    if not re.fullmatch(target.get("name", ".*"), item["metadata"]["name"]):
        return False
    labels = item["metadata"].get("labels", {})
    pairs = [pair.split("=") for pair in target.get("labelSelector", "").split(",") if pair]
    return all(labels.get(key) == value for key, value in pairs)


def _merge(base, patch):
    """Merges maps by key and lists of named objects by name; replaces other values."""
    for key, value in patch.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        elif isinstance(value, list) and isinstance(base.get(key), list) and all(_is_named(entry) for entry in value):
            by_name = {entry["name"]: entry for entry in base[key]}
            for entry in value:
                if entry["name"] in by_name:
                    _merge(by_name[entry["name"]], entry)
                else:
                    base[key].append(entry)
        else:
            base[key] = value


def _is_named(entry):
    return isinstance(entry, dict) and "name" in entry


def _apply_operations(item, operations):
    for operation in operations:
        *parents, last = operation["path"].strip("/").split("/")
        parent = item
        for name in parents:
            parent = parent[name]
        if operation["op"] != "replace" or last not in parent:
            raise KustomizationError(f"the check cannot apply {operation}")
        parent[last] = operation["value"]
