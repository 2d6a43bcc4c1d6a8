"""The check reports each kind of mistake. Every case changes the rendered manifests of production."""

import copy
import tempfile
import unittest
from pathlib import Path

import yaml
from check import ROOT, check_documented, check_passwords, check_profiles, find
from dashboards import check_dashboard, check_dashboards, dashboards
from kustomization import KustomizationError, containers_of, render
from metrics import check_tables, defined_metrics, used_metrics
from scraping import check_scraping, discovered, scraped

PRODUCTION = ROOT / "deploy/kubernetes/overlays/production"
PROGRAMS, MIGRATIONS = render(PRODUCTION), render(PRODUCTION / "migrations")


def container(objects, kind, name):
    return containers_of(select(objects, kind, name))[0]


def select(objects, kind, name):
    return next(item for item in objects if (item["kind"], item["metadata"]["name"]) == (kind, name))


def variable(objects, name, key):
    return next(entry for entry in container(objects, "Deployment", name)["env"] if entry["name"] == key)


def remove_variable(objects, name, key):
    container(objects, "Deployment", name)["env"].remove(variable(objects, name, key))


# Expected finding, and a change of the programs that causes it.
MISTAKES = [
    ("ordering: RECEIPT_SECRET is required", lambda p: remove_variable(p, "ordering", "RECEIPT_SECRET")),
    ("gateway: PUBLIC_ORIGIN is required", lambda p: remove_variable(p, "gateway", "PUBLIC_ORIGIN")),
    ("gateway: PUBLIC_ORIGINS is not a setting", lambda p: variable(p, "gateway", "PUBLIC_ORIGIN").update(name="PUBLIC_ORIGINS")),
    ("AMQP_URL has to come from a Secret", lambda p: variable(p, "stores", "AMQP_URL").update(value="amqp://broker")),
    ("CALLER_SECRET is required, so its secret cannot be optional",
     lambda p: variable(p, "stores", "CALLER_SECRET")["valueFrom"]["secretKeyRef"].update(optional=True)),
    ("ordering: STORES_ADDRESS is", lambda p: variable(p, "ordering", "STORES_ADDRESS").update(value="http://stores:7102")),
    ("rewards: its policy allows", lambda p: remove_variable(p, "ordering", "REWARDS_ADDRESS")),
    ("the policy default-deny is missing", lambda p: p.remove(select(p, "NetworkPolicy", "default-deny"))),
    ("stores: no NetworkPolicy", lambda p: p.remove(select(p, "NetworkPolicy", "stores"))),
    ("stores: no PodDisruptionBudget", lambda p: p.remove(select(p, "PodDisruptionBudget", "stores"))),
    ("stores: is not scaled", lambda p: p.remove(select(p, "HorizontalPodAutoscaler", "stores"))),
    ("stores: its Service is not headless", lambda p: select(p, "Service", "stores")["spec"].pop("clusterIP")),
    ("stores: its ports", lambda p: variable(p, "stores", "LISTEN").update(value="0.0.0.0:7102")),
    ("stores: has no livenessProbe", lambda p: container(p, "Deployment", "stores").pop("livenessProbe")),
    ("stores: has a writable file system",
     lambda p: container(p, "Deployment", "stores")["securityContext"].update(readOnlyRootFilesystem=False)),
    ("accounts: PHOTO_BUCKET is required", lambda p: remove_variable(p, "accounts", "PHOTO_BUCKET")),
    ("accounts: PHOTO_FOLDER is not on a volume", lambda p: variable(p, "accounts", "PHOTO_BUCKET").update(name="PHOTO_FOLDER", value="/photos")),
    ("PHOTO_BUCKET_KEY has to come from a Secret", lambda p: variable(p, "accounts", "PHOTO_BUCKET_KEY").update(value="key")),
    ("stores: has no resource requests", lambda p: container(p, "Deployment", "stores").pop("resources")),
    ("stores: the image has no version", lambda p: container(p, "Deployment", "stores").update(image="orderahead")),
    ("stores: has no Deployment", lambda p: p.remove(select(p, "Deployment", "stores"))),
    ("gateway: its policy rejects the trusted proxy 192.0.2.11",
     lambda p: select(p, "NetworkPolicy", "gateway")["spec"]["ingress"][0]["from"].pop()),
    ("gateway: the ingress rejects requests larger than 8m",
     lambda p: select(p, "Ingress", "gateway")["metadata"]["annotations"].update({"nginx.ingress.kubernetes.io/proxy-body-size": "8m"})),
    ("gateway: the ingress rejects requests larger than 1m",
     lambda p: select(p, "Ingress", "gateway")["metadata"]["annotations"].pop("nginx.ingress.kubernetes.io/proxy-body-size")),
    ("gateway: the ingress sends the requests of one client to several pods",
     lambda p: select(p, "Ingress", "gateway")["metadata"]["annotations"].pop("nginx.ingress.kubernetes.io/affinity")),
    # Mistakes that the schemas find.
    ("Additional properties are not allowed", lambda p: select(p, "Deployment", "stores")["spec"].update(replica=2)),
    ("is not of type 'integer'", lambda p: select(p, "HorizontalPodAutoscaler", "stores")["spec"].update(maxReplicas="two")),
]

DASHBOARD = dict(dashboards(ROOT))["requests.json"]
DASHBOARD_MISTAKES = [
    ("dashboard.panels[0].fieldConfig.defaults: Grafana has no field units", lambda d: d["panels"][0]["fieldConfig"]["defaults"].update(units="s")),
    ("dashboard.panels[0].targets[0]: Grafana has no field query", lambda d: d["panels"][0]["targets"][0].update(query="up")),
    ("Grafana has no panel graphs", lambda d: d["panels"][0].update(type="graphs")),
    ("the data source prom is not provisioned", lambda d: d["panels"][0]["datasource"].update(uid="prom")),
    ("Gateway: duration: has the id of Gateway: requests and errors", lambda d: d["panels"][1].update(id=1)),
    ("Gateway: duration: covers Gateway: requests and errors", lambda d: d["panels"][1]["gridPos"].update(x=11)),
]


class CheckTest(unittest.TestCase):
    def test_the_dashboards_have_no_findings(self):
        self.assertEqual(list(check_dashboards(ROOT)), [])

    def test_each_mistake_in_a_dashboard_is_reported(self):
        for expected, change in DASHBOARD_MISTAKES:
            with self.subTest(expected):
                dashboard = copy.deepcopy(DASHBOARD)
                change(dashboard)
                self.assertIn(expected, "\n".join(check_dashboard(dashboard, {"prometheus"})))

    def test_a_dependency_with_another_profile_is_reported(self):
        services = {"a": {"depends_on": ["b"]}, "b": {"profiles": ["test"]}, "c": {"profiles": ["test"], "depends_on": {"b": {}, "a": {}}}}
        self.assertEqual(list(check_profiles(services)), ["docker-compose.yml: a depends on b, which is not in each of its profiles"])

    def test_fixed_passwords_are_reported(self):
        variables = {"A_URL": "postgres://a:b@c/d", "B_URL": "amqp://a:${B:-b}@c", "C_PASS": "c", "D_KEY": "${D:-d}", "E": "e", "F_TOKEN": None}
        expected = [f"docker-compose.yml: a: {name} is fixed in the file" for name in ("A_URL", "C_PASS")]
        self.assertEqual(list(check_passwords({"a": {"environment": variables}, "b": {}})), expected)

    def test_documented_settings_that_compose_does_not_have_are_reported(self):
        operations = "`A_TOKEN`\n\n**Secrets.** `B_KEY`, `C_TOKEN`,\n`D_PASSWORD`, `E_DAYS`.\n\n`F_KEY`\n\n**Notifications.** `G_HOST` `H_SUBJECT`\n"
        services = {"a": {"environment": {"B_KEY": None, "URL": "a://${D_PASSWORD:-d}@b", "G_HOST": None}}}
        expected = [f"docker-compose.yml: {name} of docs/operations.md cannot be set" for name in ("C_TOKEN", "H_SUBJECT")]
        self.assertEqual(list(check_documented(operations, services)), expected)

    def test_the_manifests_have_no_findings(self):
        self.assertEqual(find(PROGRAMS, MIGRATIONS), [])

    def test_each_mistake_is_reported(self):
        for expected, change in MISTAKES:
            with self.subTest(expected):
                programs = copy.deepcopy(PROGRAMS)
                change(programs)
                findings = find(programs, MIGRATIONS)
                self.assertTrue(any(expected in finding for finding in findings), findings)

    def test_a_pod_that_prometheus_does_not_read_is_reported(self):
        programs = copy.deepcopy(PROGRAMS)
        select(programs, "Deployment", "stores")["spec"]["template"]["metadata"]["annotations"].pop("prometheus.io/scrape")
        self.assertEqual(len(list(check_scraping(ROOT, programs + MIGRATIONS))), 1)

    def test_ended_pods_are_not_read(self):
        config = yaml.safe_load((ROOT / "deploy/observability/prometheus-kubernetes.yml").read_text())
        stores = select(PROGRAMS, "Deployment", "stores")
        targets = [*discovered(stores, "Failed"), *discovered(stores, "Succeeded")]
        self.assertEqual(scraped(config["scrape_configs"][0], targets), [])

    def test_a_database_without_migration_is_reported(self):
        migrations = [job for job in MIGRATIONS if job["metadata"]["name"] != "migrate-payments"]
        self.assertIn("payments: has no Job that migrates its database", find(PROGRAMS, migrations))

    def test_the_metrics_of_an_expression_are_found(self):
        expression = 'sum by (le) (rate(a_total{state="b"}[5m])) / ignoring (c) d_max > 0 or up offset 2h == 1'
        self.assertEqual(used_metrics(expression), {"a_total", "d_max", "up"})

    def test_metrics_of_unit_tests_are_not_listed(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "gateway/src/metrics.rs"
            source.parent.mkdir(parents=True)
            source.write_text('Counter::new("a", "")\n#[cfg(test)]\nmod tests { Counter::new("b", "") }\n')
            self.assertEqual(defined_metrics(Path(folder)), {"up", "a_total"})

    def test_differences_from_the_tables_of_metrics_and_alerts_are_reported(self):
        text = "| `a_seconds`, `b` | state | a |\n| `other` | | b |\n| Down | page | `up` |\n| Gone | page | `b` |\n"
        rules = [{"alert": "Down", "labels": {"severity": "ticket"}}]
        expected = [
            "the metric c_total is not listed", "no program has the metric other", "the alert Down (ticket) is not listed",
            "Down (page) is no alert", "Gone (page) is no alert",
        ]
        found = list(check_tables(text, {"up", "a_seconds_bucket", "a_seconds_sum", "b", "c_total"}, rules))
        self.assertEqual(found, [f"docs/operations.md: {finding}" for finding in expected])

    def test_the_metrics_of_the_programs_are_found(self):
        expected = {"event_published_total", "outbox_oldest_age_seconds", "http_server_request_duration_seconds_bucket"}
        self.assertLessEqual(expected, defined_metrics(ROOT))

    def test_a_field_that_the_renderer_does_not_know_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "kustomization.yaml").write_text("namePrefix: a-\n")
            self.assertRaisesRegex(KustomizationError, "does not know namePrefix", render, folder)


if __name__ == "__main__":
    unittest.main()
