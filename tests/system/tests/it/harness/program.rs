//! A process of the system as a child process.

use std::{
    collections::BTreeMap,
    fs::File,
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::net::TcpStream;
use tonic::transport::Endpoint;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::{cleanup, eventually};

/// Environment variables.
pub type Settings = BTreeMap<&'static str, String>;

/// A process that keeps its address across restarts.
pub struct Program {
    pub name: &'static str,
    /// From 0; a stack has one or more processes of each program.
    pub replica: usize,
    pub listen: SocketAddr,
    settings: Settings,
    log: PathBuf,
    running: Mutex<Option<Child>>,
    has_extra_settings: AtomicBool,
}

/// Returns the path of a built program, in `BIN_DIR` or in cargo's target directory.
pub fn binary(name: &str) -> PathBuf {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/debug"));
    let path = std::env::var_os("BIN_DIR")
        .map_or_else(default, PathBuf::from)
        .join(name);
    assert!(
        path.exists(),
        "{} is not built: cargo build --workspace --bins",
        path.display()
    );
    path
}

/// Creates a command with only these settings in its environment.
pub fn command(name: &str, settings: &Settings) -> Command {
    let mut command = Command::new(binary(name));
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(settings)
        .stdin(Stdio::null());
    command
}

impl Program {
    pub fn new(
        name: &'static str,
        replica: usize,
        listen: SocketAddr,
        mut settings: Settings,
        log: PathBuf,
    ) -> Self {
        settings.insert("LISTEN", listen.to_string());
        Self {
            name,
            replica,
            listen,
            settings,
            log,
            running: Mutex::new(None),
            has_extra_settings: AtomicBool::new(false),
        }
    }

    /// Creates a command of the program with its settings.
    pub fn command(&self) -> Command {
        command(self.name, &self.settings)
    }

    /// Starts the program with additional settings and does not wait for it.
    pub fn start(&self, more: &[(&'static str, &str)]) {
        // For the HTTP clients of all tests, which call started programs.
        kit::tls::install_provider();
        let mut running = self.running.lock().unwrap();
        assert!(running.is_none(), "{} is already running", self.name);
        let log = File::options().create(true).append(true).open(&self.log).unwrap();
        let mut command = command(self.name, &self.settings);
        if self.name != "card-sandbox" {
            command.arg("serve");
        }
        command
            .envs(more.iter().copied())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        let child = command.spawn().unwrap();
        cleanup::register("program", child.id());
        *running = Some(child);
        self.has_extra_settings.store(!more.is_empty(), Relaxed);
    }

    pub async fn wait_until_listening(&self) {
        eventually(&format!("{} listens", self.name), async || {
            assert!(
                !self.has_ended(),
                "{} exited: see {}",
                self.name,
                self.log.display()
            );
            TcpStream::connect(self.listen)
                .await
                .map_err(|error| error.to_string())
        })
        .await;
    }

    /// Waits until the process reports that it is ready to serve.
    pub async fn wait_until_ready(&self) {
        self.wait_until_listening().await;
        eventually(&format!("{} is ready", self.name), async || {
            assert!(
                !self.has_ended(),
                "{} exited: see {}",
                self.name,
                self.log.display()
            );
            if self.is_ready().await {
                Ok(())
            } else {
                Err("not yet")
            }
        })
        .await;
    }

    async fn is_ready(&self) -> bool {
        let address = format!("http://{}", self.listen);
        match self.name {
            "card-sandbox" => true,
            "gateway" => reqwest::get(format!("{address}/health/ready"))
                .await
                .is_ok_and(|response| response.status().is_success()),
            _ => {
                let endpoint = Endpoint::from_shared(address).unwrap();
                let Ok(channel) = endpoint.connect().await else {
                    return false;
                };
                let status = HealthClient::new(channel)
                    .check(HealthCheckRequest::default())
                    .await;
                status.is_ok_and(|status| status.into_inner().status() == ServingStatus::Serving)
            }
        }
    }

    pub fn setting(&self, name: &str) -> &str {
        &self.settings[name]
    }

    /// Returns the log since the first start.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Sends SIGKILL.
    pub fn kill(&self) {
        if let Some(mut child) = self.running.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
            cleanup::register("ended", child.id());
        }
    }

    /// Sends SIGTERM and returns the exit status.
    pub async fn stop(&self) -> ExitStatus {
        self.signal("TERM");
        self.ended().await
    }

    /// Sends SIGSTOP: the process keeps its connections and does nothing.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    /// Ends [`freeze`](Self::freeze).
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let pid = self.running.lock().unwrap().as_ref().unwrap().id();
        Command::new("kill")
            .args([&format!("-{name}"), &pid.to_string()])
            .status()
            .unwrap();
    }

    /// Waits until the program exits and returns its status.
    pub async fn ended(&self) -> ExitStatus {
        let end = tokio::time::Instant::now() + Duration::from_secs(40);
        loop {
            if let Some(status) = self.reap() {
                return status;
            }
            assert!(tokio::time::Instant::now() < end, "{} does not exit", self.name);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns whether a test stopped the program or changed its settings.
    pub fn needs_restart(&self) -> bool {
        self.running.lock().unwrap().is_none() || self.has_ended() || self.has_extra_settings.load(Relaxed)
    }

    /// Returns whether the process has exited by itself.
    pub fn has_ended(&self) -> bool {
        self.running
            .lock()
            .unwrap()
            .as_mut()
            .is_some_and(|child| child.try_wait().unwrap().is_some())
    }

    fn reap(&self) -> Option<ExitStatus> {
        let mut running = self.running.lock().unwrap();
        let status = running.as_mut().unwrap().try_wait().unwrap()?;
        cleanup::register("ended", running.as_ref().unwrap().id());
        *running = None;
        Some(status)
    }
}
