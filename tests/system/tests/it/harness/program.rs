//! One of our programs as a process: started, killed as by a power cut, stopped in order, started again.

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

use super::{eventually, keeper};

/// Settings, by the variables' names.
pub type Settings = BTreeMap<&'static str, String>;

/// A program at an address of its own, which it keeps over restarts.
pub struct Program {
    pub name: &'static str,
    pub listen: SocketAddr,
    settings: Settings,
    log: PathBuf,
    running: Mutex<Option<Child>>,
    /// Runs with other settings than usual.
    specially: AtomicBool,
}

/// A built program: where `BIN_DIR` says, or where cargo puts it.
pub fn binary(name: &str) -> PathBuf {
    let usual = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/debug"));
    let path = std::env::var_os("BIN_DIR")
        .map_or_else(usual, PathBuf::from)
        .join(name);
    assert!(
        path.exists(),
        "{} is not built: cargo build --workspace --bins",
        path.display()
    );
    path
}

/// A command that knows these settings and nothing of the environment of the tests.
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
    pub fn new(name: &'static str, listen: SocketAddr, mut settings: Settings, log: PathBuf) -> Self {
        settings.insert("LISTEN", listen.to_string());
        Self {
            name,
            listen,
            settings,
            log,
            running: Mutex::new(None),
            specially: AtomicBool::new(false),
        }
    }

    /// Starts it with more settings than usual, without waiting for it.
    pub fn start(&self, more: &[(&'static str, &str)]) {
        let mut running = self.running.lock().unwrap();
        assert!(running.is_none(), "{} runs already", self.name);
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
        keeper::tell("program", child.id());
        *running = Some(child);
        self.specially.store(!more.is_empty(), Relaxed);
    }

    /// Waits until it listens.
    pub async fn is_up(&self) {
        eventually(&format!("{} listens", self.name), async || {
            assert!(
                !self.has_ended(),
                "{} ended by itself: see {}",
                self.name,
                self.log.display()
            );
            TcpStream::connect(self.listen)
                .await
                .map_err(|error| error.to_string())
        })
        .await;
    }

    /// What it has written since its first start.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Ends it with SIGKILL.
    pub fn kill(&self) {
        if let Some(mut child) = self.running.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
            keeper::tell("ended", child.id());
        }
    }

    /// Asks it to end with SIGTERM, and says how it did.
    pub async fn stop(&self) -> ExitStatus {
        let pid = self.running.lock().unwrap().as_ref().unwrap().id();
        Command::new("kill")
            .args(["-TERM", &pid.to_string()])
            .status()
            .unwrap();
        self.ended().await
    }

    /// Waits until it has ended by itself, and says how.
    pub async fn ended(&self) -> ExitStatus {
        let end = tokio::time::Instant::now() + Duration::from_secs(40);
        loop {
            if let Some(status) = self.reap() {
                return status;
            }
            assert!(tokio::time::Instant::now() < end, "{} does not end", self.name);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Whether a test has left it other than it should be.
    pub fn is_altered(&self) -> bool {
        self.running.lock().unwrap().is_none() || self.has_ended() || self.specially.load(Relaxed)
    }

    fn has_ended(&self) -> bool {
        self.running
            .lock()
            .unwrap()
            .as_mut()
            .is_some_and(|child| child.try_wait().unwrap().is_some())
    }

    fn reap(&self) -> Option<ExitStatus> {
        let mut running = self.running.lock().unwrap();
        let status = running.as_mut().unwrap().try_wait().unwrap()?;
        keeper::tell("ended", running.as_ref().unwrap().id());
        *running = None;
        Some(status)
    }
}
