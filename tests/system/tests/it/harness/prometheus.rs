//! A real Prometheus with the rules of `deploy/observability`, which reads the processes of a stack.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use url::Url;

use super::{Stack, cleanup, eventually, programs, topology::free_address};

/// The rules.
pub const ALERTS: &str = include_str!("../../../../../deploy/observability/alerts.yml");
/// The shortest duration that contains several samples.
const SHORTEST: Duration = Duration::from_secs(5);

/// Reads the processes every second until dropped.
pub struct Prometheus {
    server: Child,
    address: String,
    folder: PathBuf,
    /// Addresses of the programs for metrics.
    targets: BTreeMap<&'static str, String>,
}

impl Prometheus {
    /// Restarts the first process of each program with an address for metrics, and starts the server.
    pub async fn start(stack: &Stack) -> Self {
        let folder = std::env::temp_dir().join(testing::unique_name());
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("alerts.yml"), ALERTS).unwrap();
        let mut config = "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n\
             rule_files: [alerts.yml]\nscrape_configs:\n  - job_name: orderahead\n    static_configs:\n"
            .to_owned();
        let targets: BTreeMap<_, _> = programs()
            .map(|program| (program, free_address().to_string()))
            .collect();
        for (program, target) in &targets {
            restart(stack, program, target).await;
            writeln!(
                config,
                "      - {{targets: ['{target}'], labels: {{service: {program}}}}}"
            )
            .unwrap();
        }
        let file = folder.join("prometheus.yml");
        fs::write(&file, config).unwrap();
        let address = free_address().to_string();
        let server = Command::new("prometheus")
            .arg(format!("--config.file={}", file.display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("data").display()))
            .arg(format!("--web.listen-address={address}"))
            .arg("--web.enable-lifecycle")
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap();
        cleanup::register("program", server.id());
        let prometheus = Self {
            server,
            address,
            folder,
            targets,
        };
        eventually("Prometheus is ready", async || {
            reqwest::get(format!("{}/-/ready", prometheus.url()))
                .await
                .and_then(reqwest::Response::error_for_status)
        })
        .await;
        prometheus
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// URLs of the programs for metrics.
    pub fn urls(&self) -> Vec<String> {
        self.targets
            .values()
            .map(|address| format!("http://{address}"))
            .collect()
    }

    /// Restarts a program, which samples its gauges at the start.
    pub async fn restart(&self, stack: &Stack, program: &str) {
        self.restart_with(stack, program, &[]).await;
    }

    /// Restarts a program with additional settings.
    pub async fn restart_with(&self, stack: &Stack, program: &str, more: &[(&'static str, &str)]) {
        let mut settings = vec![("METRICS_LISTEN", self.targets[program].as_str())];
        settings.extend(more);
        stack.restart(program, &settings).await;
    }

    /// Returns the rules by the name of their alert.
    pub async fn rules(&self) -> Result<BTreeMap<String, Value>, String> {
        let url = format!("{}/api/v1/rules", self.url());
        let response = reqwest::get(url).await.map_err(|error| error.to_string())?;
        let response: Value = response.json().await.map_err(|error| error.to_string())?;
        let groups = response["data"]["groups"].as_array().cloned().unwrap_or_default();
        let rules = groups
            .iter()
            .flat_map(|group| group["rules"].as_array().cloned().unwrap_or_default());
        Ok(rules
            .map(|rule| (rule["name"].as_str().unwrap_or_default().to_owned(), rule))
            .collect())
    }

    /// Returns the newest value of the only series that a query finds, or `None` if it finds none.
    pub async fn value(&self, query: &str) -> Result<Option<f64>, String> {
        let mut url =
            Url::parse(&format!("{}/api/v1/query", self.url())).map_err(|error| error.to_string())?;
        url.query_pairs_mut().append_pair("query", query);
        let response = reqwest::get(url).await.map_err(|error| error.to_string())?;
        let response: Value = response.json().await.map_err(|error| error.to_string())?;
        match response["data"]["result"].as_array().map(Vec::as_slice) {
            Some([]) => Ok(None),
            // The time and the value, as text.
            Some([series]) => series["value"][1]
                .as_str()
                .and_then(|value| value.parse().ok())
                .map(Some)
                .ok_or_else(|| response.to_string()),
            _ => Err(response.to_string()),
        }
    }

    /// Loads the rules with durations of seconds (2 hours become 24 seconds), so that each alert can fire during a test.
    pub async fn shorten_durations(&self) {
        fs::write(self.folder.join("alerts.yml"), shorten_durations(ALERTS)).unwrap();
        let url = format!("{}/-/reload", self.url());
        let reloaded = reqwest::Client::new().post(url).send().await.unwrap();
        assert!(reloaded.status().is_success(), "{reloaded:?}");
    }

    /// Waits until the alerts fire.
    pub async fn wait_until_firing(&self, alerts: &[&str]) {
        eventually("each alert fires", async || {
            self.require_state(alerts, "firing").await
        })
        .await;
    }

    /// Repeats something until the alerts fire.
    pub async fn repeat_until_firing(&self, alerts: &[&str], mut repeat: impl AsyncFnMut()) {
        eventually("each alert fires", async || {
            repeat().await;
            self.require_state(alerts, "firing").await
        })
        .await;
    }

    /// Waits until the alerts neither fire nor are pending.
    pub async fn wait_until_inactive(&self, alerts: &[&str]) {
        eventually("each alert is inactive", async || {
            self.require_state(alerts, "inactive").await
        })
        .await;
    }

    async fn require_state(&self, alerts: &[&str], state: &str) -> Result<(), String> {
        let rules = self.rules().await?;
        let other: Vec<_> = alerts
            .iter()
            .map(|name| (name, rules.get(*name).unwrap_or(&Value::Null)))
            .filter(|(_, rule)| rule["state"] != state || rule["health"] != "ok")
            .map(|(name, rule)| format!("{name} is {} ({})", rule["state"], rule["health"]))
            .collect();
        if other.is_empty() {
            Ok(())
        } else {
            Err(other.join(", "))
        }
    }
}

/// Divides the durations of minutes and hours by 300, and keeps them long enough for several samples.
fn shorten_durations(rules: &str) -> String {
    let words = rules.split_inclusive(|character: char| !character.is_ascii_alphanumeric());
    words
        .map(|word| {
            let duration = word.trim_end_matches(|character: char| !character.is_ascii_alphanumeric());
            match minutes(duration) {
                Some(minutes) => {
                    let seconds = Duration::from_mins(minutes)
                        .div_f64(300.0)
                        .max(SHORTEST)
                        .as_secs();
                    word.replace(duration, &format!("{seconds}s"))
                }
                None => word.to_owned(),
            }
        })
        .collect()
}

fn minutes(duration: &str) -> Option<u64> {
    let minutes = duration.strip_suffix('m').and_then(|count| count.parse().ok());
    let hours = duration
        .strip_suffix('h')
        .and_then(|count| count.parse::<u64>().ok());
    minutes.or(hours.map(|hours| hours * 60))
}

#[test]
fn durations_become_seconds() {
    let rule = "increase(runs_total{a=~\"1m|b\"}[3h]) offset 2h\nfor: 10m\nsummary: \"for two hours\"";
    let short = "increase(runs_total{a=~\"5s|b\"}[36s]) offset 24s\nfor: 5s\nsummary: \"for two hours\"";
    assert_eq!(shorten_durations(rule), short);
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ended = self.server.kill();
        let _status = self.server.wait();
        cleanup::register("ended", self.server.id());
        let _removed = fs::remove_dir_all(&self.folder);
    }
}

async fn restart(stack: &Stack, program: &str, target: &str) {
    stack.restart(program, &[("METRICS_LISTEN", target)]).await;
}
