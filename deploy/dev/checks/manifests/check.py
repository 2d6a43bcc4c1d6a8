"""Checks deploy/kubernetes (schemas, settings, and the rules of rules.py), docker-compose.yml and deploy/observability. Usage: check.py [--compare-with-kubectl]

--compare-with-kubectl also renders with `kubectl kustomize` and fails if the result differs. Not part of `make test`, because
kubectl is in no package registry that the setup uses.
"""

import re
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import rules
import yaml
from dashboards import check_dashboards
from kustomization import render
from metrics import check_observability
from scraping import check_scraping
from settings import compose_environment, compose_services, max_upload_bytes, program_settings

ROOT = Path(__file__).resolve().parents[4]
# The oldest version that the manifests have to work with.
KUBERNETES_VERSION = "1.30"
SECRET = re.compile(r"_(SECRET|SECRET_ACCEPTED|PASSWORD|PASS|KEY|KEYS|TOKEN|CREDENTIAL)$")


def main(compare):
    findings, objects_in_all = [], 0
    for overlay in sorted((ROOT / "deploy/kubernetes/overlays").iterdir()):
        programs, migrations = render(overlay), render(overlay / "migrations")
        findings += [f"{overlay.name}: {finding}" for finding in find(programs, migrations)]
        objects_in_all += len(programs) + len(migrations)
        if compare:
            findings += compare_with_kubectl(overlay, programs) + compare_with_kubectl(overlay / "migrations", migrations)
    production = ROOT / "deploy/kubernetes/overlays/production"
    findings += check_scraping(ROOT, render(production) + render(production / "migrations"))
    findings += check_compose()
    findings += check_profiles(compose_services(ROOT))
    findings += check_passwords(compose_services(ROOT))
    findings += check_documented((ROOT / "docs/operations.md").read_text(), compose_services(ROOT))
    findings += check_observability(ROOT)
    findings += check_dashboards(ROOT)
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"{len(findings)} findings" if findings else f"{objects_in_all} Kubernetes objects, docker-compose.yml, the alerts, the dashboards and the configuration of Prometheus are valid.")
    return 1 if findings else 0


def find(programs, migrations):
    """Returns the findings of one overlay."""
    findings = []
    for item in programs + migrations:
        try:
            kubernetes_validate.validate(item, KUBERNETES_VERSION, strict=True)
        except kubernetes_validate.ValidationError as error:
            findings.append(f"{item['kind']} {item['metadata']['name']}: {error.message}")
    findings += rules.check_settings(programs, lambda program: program_settings(ROOT, program))
    findings += rules.check_companions(programs)
    findings += rules.check_calls(programs)
    findings += rules.check_ingress(programs, max_upload_bytes(ROOT))
    findings += rules.check_pods(programs + migrations)
    findings += rules.check_migrations(migrations)
    return findings


def check_compose():
    """docker-compose.yml sets every required setting with a default that does not fit a container."""
    for program in rules.PROGRAMS:
        missing = {name for name, setting in program_settings(ROOT, program).items() if setting.is_required}
        # Compose publishes the gateway at the address of the default.
        missing -= compose_environment(ROOT, program) | {"GIFT_REDEEM_URL"}
        yield from (f"docker-compose.yml: {program}: {name} is required but not set" for name in sorted(missing))


def check_profiles(services):
    """A service starts with any of its profiles, so each of them has to start what it depends on."""
    for name, service in services.items():
        for other in service.get("depends_on", []):
            profiles = services[other].get("profiles")
            if profiles and not (service.get("profiles") and set(service["profiles"]) <= set(profiles)):
                yield f"docker-compose.yml: {name} depends on {other}, which is not in each of its profiles"


def check_passwords(services):
    """Passwords and keys come from the environment; the file has only defaults for development."""
    for name, service in services.items():
        variables = service.get("environment") or {}
        for variable, value in variables.items():
            in_url = re.search(r"://[^/@:]*:([^@]*)@", str(value))
            secret = in_url.group(1) if in_url else value if SECRET.search(variable) else None
            if secret and not str(secret).startswith("${"):
                yield f"docker-compose.yml: {name}: {variable} is fixed in the file"


def check_documented(operations, services):
    """The secrets and the settings of notifications that operations.md names can be set in compose."""
    known = yaml.safe_dump(services)
    secrets = {name for name in settings_of_paragraph(operations, "Secrets") if SECRET.search(name)}
    for name in sorted(secrets | settings_of_paragraph(operations, "Notifications")):
        if not re.search(rf"\b{name}\b", known):
            yield f"docker-compose.yml: {name} of docs/operations.md cannot be set"


def settings_of_paragraph(text, title):
    paragraph = re.search(rf"^\*\*{title}\.\*\*.*?(?=\n\n|\Z)", text, re.S | re.M).group()
    return set(re.findall(r"`([A-Z_]+)`", paragraph))


def compare_with_kubectl(folder, objects):
    output = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True, check=True).stdout
    theirs, ours = by_name(yaml.safe_load_all(output)), by_name(objects)
    different = [name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)]
    return [f"{folder.name}: {name} differs from the output of kubectl" for name in different]


def by_name(objects):
    return {(item["kind"], item["metadata"]["name"]): normalized(item) for item in objects}


def normalized(value):
    """Returns a value with the lists of named objects sorted, because their order has no meaning."""
    if isinstance(value, dict):
        return {key: normalized(entry) for key, entry in value.items()}
    if isinstance(value, list):
        entries = [normalized(entry) for entry in value]
        is_named = all(isinstance(entry, dict) and "name" in entry for entry in entries)
        return sorted(entries, key=lambda entry: entry["name"]) if is_named else entries
    return value


if __name__ == "__main__":
    sys.exit(main("--compare-with-kubectl" in sys.argv))
