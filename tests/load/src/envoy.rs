//! Envoy as a gRPC-JSON transcoder in front of a service. `deploy/dev/load` installs it, if it is available.

use std::{net::TcpListener, path::PathBuf, process::Stdio, time::Duration};

use anyhow::ensure;
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::{Instant, sleep},
};
use url::Url;
use uuid::Uuid;

const START_TIMEOUT: Duration = Duration::from_secs(20);
/// As many threads as tokio starts on two cores.
const THREADS: &str = "2";

/// Stopped when dropped.
#[derive(Debug)]
pub struct Envoy {
    pub address: Url,
    folder: PathBuf,
    _child: Child,
}

impl Envoy {
    /// Starts Envoy in front of the service at `upstream`, or returns `None` if it is not installed.
    pub async fn start(upstream: &Url, service: &str) -> anyhow::Result<Option<Self>> {
        let Some(program) = std::env::var_os("ENVOY").filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let folder = std::env::temp_dir().join(format!("envoy-{}", Uuid::new_v4()));
        std::fs::create_dir(&folder)?;
        let descriptors = folder.join("descriptors.bin");
        std::fs::write(&descriptors, proto::DESCRIPTORS)?;
        let listen = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let config = include_str!("../envoy.yaml")
            .replace("LISTEN_PORT", &listen.port().to_string())
            .replace("UPSTREAM_PORT", &upstream.port().unwrap_or_default().to_string())
            .replace("DESCRIPTORS", &descriptors.display().to_string())
            .replace("SERVICE", service);
        let config_file = folder.join("envoy.yaml");
        std::fs::write(&config_file, config)?;
        let mut child = Command::new(program)
            .arg("--config-path")
            .arg(&config_file)
            .args([
                "--concurrency",
                THREADS,
                "--log-level",
                "error",
                "--disable-hot-restart",
            ])
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let end = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(listen).await.is_err() {
            let exited = child.try_wait()?;
            ensure!(
                exited.is_none() && Instant::now() < end,
                "Envoy does not start: {exited:?}"
            );
            sleep(Duration::from_millis(20)).await;
        }
        Ok(Some(Self {
            address: Url::parse(&format!("http://{listen}/"))?,
            folder,
            _child: child,
        }))
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
