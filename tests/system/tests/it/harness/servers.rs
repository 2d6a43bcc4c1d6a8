//! Backing services: the shared ones, on which each stack uses its own names, and private ones that a test may kill.

use std::{fs::File, path::PathBuf, process::Command};

use super::{cleanup, shared_servers};

/// URLs of the backing services of a stack.
#[derive(Debug, Clone)]
pub struct Servers {
    /// With a role that may create databases.
    pub postgres: String,
    pub broker: String,
    /// With the number of the database.
    pub redis: String,
}

impl Servers {
    /// Returns the shared servers, with the Redis database of this number.
    pub fn shared(redis_number: u32) -> Self {
        Self {
            postgres: shared_servers::postgres(),
            broker: shared_servers::broker(),
            redis: format!("{}/{redis_number}", shared_servers::redis().trim_end_matches('/')),
        }
    }

    /// Starts servers with empty data for this test process only. Waits while another test process uses them.
    pub fn private() -> Self {
        let folder = root().join(".run/chaos");
        std::fs::create_dir_all(&folder).unwrap();
        let lock = File::create(folder.join("test.lock")).unwrap();
        lock.lock().unwrap();
        // The lock is held until the process exits.
        std::mem::forget(lock);
        cleanup::register("servers", "chaos");
        control("kill", "");
        control("wipe", "");
        control("start", "");
        Self {
            postgres: "postgres://orderahead@127.0.0.1:7432/postgres".to_owned(),
            broker: "amqp://127.0.0.1:7472/%2f".to_owned(),
            redis: "redis://127.0.0.1:7479/0".to_owned(),
        }
    }

    /// Returns the URL of a database on the PostgreSQL server.
    pub fn database(&self, name: &str) -> String {
        let mut url = url::Url::parse(&self.postgres).unwrap();
        url.set_path(name);
        url.into()
    }
}

/// Runs an action of `deploy/dev/backing-services` on a private server, or on all if the name is empty.
pub fn control(action: &str, server: &str) {
    let mut command = Command::new(root().join("deploy/dev/backing-services"));
    // The servers belong to this process, so the actions on different servers need no common lock.
    command
        .env("backing_services_locked", "1")
        .args([action, "chaos"]);
    if !server.is_empty() {
        command.arg(server);
    }
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{action} {server}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
