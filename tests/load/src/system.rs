//! The processes of the system, started with the environment of the stack.

use std::{fs::File, path::PathBuf, process::Stdio, time::Duration};

use anyhow::{Context, ensure};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};
use tonic::transport::Endpoint;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::environment::{program, setting};

/// Each program with the variable of its address.
const PROGRAMS: [(&str, &str); 8] = [
    ("accounts", "ACCOUNTS_LISTEN"),
    ("stores", "STORES_LISTEN"),
    ("ordering", "ORDERING_LISTEN"),
    ("payments", "PAYMENTS_LISTEN"),
    ("gift-cards", "GIFT_CARDS_LISTEN"),
    ("rewards", "REWARDS_LISTEN"),
    ("gateway", "GATEWAY_LISTEN"),
    ("card-sandbox", SANDBOX),
];
/// The card provider's simulation is not part of the system.
const SANDBOX: &str = "SANDBOX_LISTEN";

const POLL_INTERVAL: Duration = Duration::from_millis(5);
const START_TIMEOUT: Duration = Duration::from_mins(1);
const STOP_TIMEOUT: Duration = Duration::from_secs(40);

/// Killed when dropped.
#[derive(Debug)]
pub struct System {
    programs: Vec<Program>,
    /// From the start of the first process until all are ready.
    pub start_time: Duration,
}

#[derive(Debug)]
pub struct Program {
    pub name: &'static str,
    listen: String,
    child: Child,
}

impl System {
    /// Starts all processes with additional settings, and waits until they are ready.
    pub async fn start(more: &[(&str, &str)]) -> anyhow::Result<Self> {
        let started = Instant::now();
        let mut programs = Vec::new();
        for (name, variable) in PROGRAMS {
            programs.push(Program::start(name, &setting(variable)?, more)?);
        }
        for program in &mut programs {
            program.wait_until_ready().await?;
        }
        Ok(Self {
            programs,
            start_time: started.elapsed(),
        })
    }

    /// Restarts all processes with additional settings.
    pub async fn restart(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.stop().await?;
        *self = Self::start(more).await?;
        Ok(())
    }

    /// Stops all processes, the gateway first.
    pub async fn stop(&mut self) -> anyhow::Result<()> {
        for program in self.programs.iter().rev() {
            program.terminate().await?;
        }
        for program in &mut self.programs {
            timeout(STOP_TIMEOUT, program.child.wait())
                .await
                .with_context(|| format!("{} does not stop", program.name))??;
        }
        Ok(())
    }

    /// Returns the names and process ids of the system's processes, without the card provider's simulation.
    pub fn processes(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let own = self
            .programs
            .iter()
            .filter(|program| program.name != "card-sandbox");
        own.filter_map(|program| Some((program.name, program.child.id()?)))
    }
}

impl Program {
    /// Starts a program with additional settings at an address. Its output is appended to its log.
    pub fn start(name: &'static str, listen: &str, more: &[(&str, &str)]) -> anyhow::Result<Self> {
        let folder = PathBuf::from(setting("LOG_DIR")?);
        let log = File::options()
            .create(true)
            .append(true)
            .open(folder.join(format!("{name}.log")))?;
        let mut command = Command::new(program(name)?);
        if name != "card-sandbox" {
            command.arg("serve");
        }
        let child = command
            .env("LISTEN", listen)
            .envs(more.iter().copied())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        Ok(Self {
            name,
            listen: listen.to_owned(),
            child,
        })
    }

    pub async fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        let end = Instant::now() + START_TIMEOUT;
        while !self.is_ready().await {
            let exited = self.child.try_wait()?;
            ensure!(exited.is_none(), "{} exited: see its log in LOG_DIR", self.name);
            ensure!(
                Instant::now() < end,
                "{} is not ready: see its log in LOG_DIR",
                self.name
            );
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    async fn is_ready(&self) -> bool {
        let address = format!("http://{}", self.listen);
        match self.name {
            "card-sandbox" => TcpStream::connect(&self.listen).await.is_ok(),
            "gateway" => reqwest::get(format!("{address}/health/ready"))
                .await
                .is_ok_and(|response| response.status().is_success()),
            _ => is_serving(address).await.unwrap_or(false),
        }
    }

    /// Sends SIGTERM.
    pub async fn terminate(&self) -> anyhow::Result<()> {
        if let Some(id) = self.child.id() {
            Command::new("kill").arg(id.to_string()).status().await?;
        }
        Ok(())
    }

    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.terminate().await?;
        timeout(STOP_TIMEOUT, self.child.wait()).await??;
        Ok(())
    }
}

async fn is_serving(address: String) -> anyhow::Result<bool> {
    let channel = Endpoint::from_shared(address)?.connect().await?;
    let response = HealthClient::new(channel)
        .check(HealthCheckRequest::default())
        .await?;
    Ok(response.into_inner().status() == ServingStatus::Serving)
}
