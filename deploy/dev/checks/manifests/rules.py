"""Rules that the schemas of Kubernetes cannot express. Each function returns findings: one sentence per violation."""

from kustomization import containers_of
from settings import OTHER

SERVICES = ("accounts", "stores", "ordering", "payments", "gift-cards", "rewards")
PROGRAMS = (*SERVICES, "gateway")
# Required settings with another one that replaces them.
ALTERNATIVES = {"PHOTO_FOLDER": "PHOTO_BUCKET"}


def by_kind(objects, kind):
    return {item["metadata"]["name"]: item for item in objects if item["kind"] == kind}


def environment(item):
    return {entry["name"]: entry for container in containers_of(item) for entry in container.get("env", [])}


def check_settings(objects, settings_of):
    """Every required setting is set to a value of its own, and every variable is a setting of the program."""
    deployments = by_kind(objects, "Deployment")
    for program in PROGRAMS:
        if program not in deployments:
            yield f"{program}: has no Deployment"
            continue
        settings, variables = settings_of(program), environment(deployments[program])
        for name, setting in settings.items():
            alternative = ALTERNATIVES.get(name)
            if setting.is_required and name not in variables and alternative not in variables:
                yield f"{program}: {alternative or name} is required but not set"
        for name, entry in variables.items():
            if name not in settings and not OTHER.fullmatch(name):
                yield f"{program}: {name} is not a setting of this program"
            if entry.get("valueFrom", {}).get("secretKeyRef", {}).get("optional") and settings[name].is_required:
                yield f"{program}: {name} is required, so its secret cannot be optional"
            if "value" in entry and name.endswith(("_SECRET", "_DATABASE_URL", "_TOKEN", "_SECRET_KEY", "_BUCKET_KEY", "REDIS_URL", "AMQP_URL")):
                yield f"{program}: {name} has to come from a Secret"


def check_companions(objects):
    """Every Deployment has what it needs to be found, scaled, drained and protected."""
    services, budgets = by_kind(objects, "Service"), by_kind(objects, "PodDisruptionBudget")
    scalers, policies = by_kind(objects, "HorizontalPodAutoscaler"), by_kind(objects, "NetworkPolicy")
    if "default-deny" not in policies:
        yield "the policy default-deny is missing"
    for name, deployment in by_kind(objects, "Deployment").items():
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        selectors = {
            "Deployment": deployment["spec"]["selector"]["matchLabels"],
            "Service": services.get(name, {}).get("spec", {}).get("selector"),
            "PodDisruptionBudget": budgets.get(name, {}).get("spec", {}).get("selector", {}).get("matchLabels"),
            "NetworkPolicy": policies.get(name, {}).get("spec", {}).get("podSelector", {}).get("matchLabels"),
        }
        for kind, selector in selectors.items():
            if not selector or not selector.items() <= labels.items():
                yield f"{name}: no {kind} selects its pods"
        target = scalers.get(name, {}).get("spec", {}).get("scaleTargetRef", {})
        if (target.get("kind"), target.get("name")) != ("Deployment", name):
            yield f"{name}: is not scaled automatically"
        if name in SERVICES and services.get(name, {}).get("spec", {}).get("clusterIP") != "None":
            yield f"{name}: its Service is not headless, so that callers would not see its replicas"


def check_pods(objects):
    """Pods run without root, cannot write to their file system, and have probes and resource requests."""
    for item in objects:
        if item["kind"] not in ("Deployment", "Job"):
            continue
        name, pod = item["metadata"]["name"], item["spec"]["template"]["spec"]
        if not pod.get("securityContext", {}).get("runAsNonRoot") or pod.get("automountServiceAccountToken") is not False:
            yield f"{name}: may run as root, or has a token of the cluster"
        for container in containers_of(item):
            context = container.get("securityContext", {})
            if not context.get("readOnlyRootFilesystem") or context.get("allowPrivilegeEscalation") is not False:
                yield f"{name}: has a writable file system or may gain privileges"
            if "memory" not in container.get("resources", {}).get("limits", {}) or not container["resources"].get("requests"):
                yield f"{name}: has no resource requests or no memory limit"
            if container["image"].partition(":")[2] in ("", "latest"):
                yield f"{name}: the image has no version"
            mounts = [mount["mountPath"] for mount in container.get("volumeMounts", [])]
            for variable in container["env"]:
                if variable["name"].endswith("_FOLDER") and variable.get("value") not in mounts:
                    yield f"{name}: {variable['name']} is not on a volume, and the file system cannot be written"
            if item["kind"] == "Deployment":
                yield from _check_ports(name, container)


def _check_ports(name, container):
    ports = {port["name"]: port["containerPort"] for port in container.get("ports", [])}
    variables = {entry["name"]: entry.get("value", "") for entry in container["env"]}
    listening = {int(variables[key].rpartition(":")[2]) for key in ("LISTEN", "METRICS_LISTEN") if variables.get(key)}
    if set(ports.values()) != listening:
        yield f"{name}: its ports {sorted(ports.values())} are not those of LISTEN and METRICS_LISTEN"
    for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
        probe = container.get(kind, {})
        port = probe.get("grpc", probe.get("httpGet", {})).get("port")
        if ports.get(port, port) not in listening:
            yield f"{name}: has no {kind} on a port that it listens on"


def check_calls(objects):
    """The policy of each service allows exactly the programs that have its address, on the port of the address."""
    deployments, policies = by_kind(objects, "Deployment"), by_kind(objects, "NetworkPolicy")
    for service in SERVICES:
        variable = service.upper().replace("-", "_") + "_ADDRESS"
        addresses = {name: environment(item)[variable]["value"] for name, item in deployments.items() if variable in environment(item)}
        for caller, address in addresses.items():
            if address != f"http://{service}:7100":
                yield f"{caller}: {variable} is {address}"
        allowed, ports = set(), set()
        for rule in policies[service]["spec"]["ingress"] if service in policies else []:
            ports |= {port["port"] for port in rule.get("ports", [])}
            for peer in rule.get("from", []):
                for expression in peer.get("podSelector", {}).get("matchExpressions", []):
                    allowed |= set(expression["values"])
        if allowed != set(addresses) or ports != {7100}:
            yield f"{service}: its policy allows {sorted(allowed)}, its callers are {sorted(addresses)}"


def check_ingress(objects, max_upload_bytes):
    """The gateway accepts connections of the proxies that it trusts, and the ingress passes the largest upload. A client stays at one pod,
    so that a page and its scripts are of one build during a release."""
    policy = by_kind(objects, "NetworkPolicy").get("gateway", {}).get("spec", {})
    blocks = {peer["ipBlock"]["cidr"] for rule in policy.get("ingress", []) for peer in rule.get("from", []) if "ipBlock" in peer}
    proxies = environment(by_kind(objects, "Deployment")["gateway"]).get("TRUSTED_PROXIES", {}).get("value", "")
    for address in filter(None, proxies.split(",")):
        if f"{address}/32" not in blocks:
            yield f"gateway: its policy rejects the trusted proxy {address}"
    for name, ingress in by_kind(objects, "Ingress").items():
        annotations = ingress["metadata"].get("annotations", {})
        if annotations.get("nginx.ingress.kubernetes.io/affinity") != "cookie":
            yield f"{name}: the ingress sends the requests of one client to several pods"
        size = annotations.get("nginx.ingress.kubernetes.io/proxy-body-size", "1m")
        if not size.endswith("m") or int(size[:-1]) << 20 < max_upload_bytes:
            yield f"{name}: the ingress rejects requests larger than {size}, and uploads have up to {max_upload_bytes} bytes"


def check_migrations(objects):
    """Every database is migrated by a Job with the same secret as its service."""
    jobs = by_kind(objects, "Job")
    for service in SERVICES:
        job = jobs.get(f"migrate-{service}")
        if not job:
            yield f"{service}: has no Job that migrates its database"
            continue
        variable = service.upper().replace("-", "_") + "_DATABASE_URL"
        if containers_of(job)[0]["command"] != [service, "migrate"] or variable not in environment(job):
            yield f"{service}: its Job does not run migrate with {variable}"
