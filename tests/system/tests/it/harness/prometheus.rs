//! A real Prometheus with the rules of `deploy/observability`, which reads the processes of a stack.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use url::Url;

use super::{Stack, cleanup, eventually, programs};

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
        let rules = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../deploy/observability/alerts.yml"
        );
        let mut config = format!(
            "global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}\nrule_files: ['{rules}']\n\
             scrape_configs:\n  - job_name: orderahead\n    static_configs:\n"
        );
        let targets: BTreeMap<_, _> = programs().map(|program| (program, free_address())).collect();
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
        let address = free_address();
        let server = Command::new("prometheus")
            .arg(format!("--config.file={}", file.display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("data").display()))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap();
        cleanup::register("program", server.id());
        Self {
            server,
            address,
            folder,
            targets,
        }
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

    /// Waits until the alerts are firing, or pending if they fire only after some time.
    pub async fn wait_for_alerts(&self, expected: &[&str]) {
        eventually("all alerts are raised", async || {
            let rules = self.rules().await?;
            let silent: Vec<_> = expected
                .iter()
                .filter(|name| {
                    let expected: &[&str] = match rules[**name]["duration"].as_f64() {
                        Some(0.0) => &["firing"],
                        _ => &["pending", "firing"],
                    };
                    !expected.contains(&rules[**name]["state"].as_str().unwrap_or_default())
                })
                .collect();
            if silent.is_empty() {
                Ok(())
            } else {
                Err(format!("{silent:?} are not raised"))
            }
        })
        .await;
    }
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

fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}
