//! Settings and programs of the stack, databases for one measurement, and the machine.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, ensure};
use jiff::tz::TimeZone;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use types::{Clock, SystemClock};
use url::Url;
use uuid::Uuid;

/// Reads an environment variable of the stack.
pub fn setting(name: &str) -> anyhow::Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set: run `make load`"))
}

/// Returns the path of one of the stack's programs.
pub fn program(name: &str) -> anyhow::Result<PathBuf> {
    Ok(PathBuf::from(setting("BIN_DIR")?).join(name))
}

/// A new database on the stack's server.
pub struct ScratchDatabase {
    server: PgConnection,
    name: String,
    pub url: String,
}

impl ScratchDatabase {
    pub async fn create() -> anyhow::Result<Self> {
        let mut url = Url::parse(&setting("ORDERING_DATABASE_URL")?)?;
        let mut server = PgConnection::connect(url.as_str()).await?;
        let name = format!("load_{}", Uuid::new_v4().simple());
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut server)
            .await?;
        url.set_path(&name);
        Ok(Self {
            server,
            name,
            url: url.into(),
        })
    }

    /// Creates a database with the schema and seed of a service. `variable` names the service's database URL.
    pub async fn create_for(service: &str, variable: &str) -> anyhow::Result<Self> {
        let database = Self::create().await?;
        for command in ["migrate", "seed"] {
            let output = Command::new(program(service)?)
                .arg(command)
                .env(variable, &database.url)
                .env("ALLOW_DEMO_DATA", "true")
                .output()?;
            let stderr = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "{service} {command}: {stderr}");
        }
        Ok(database)
    }

    pub async fn connect(&self) -> anyhow::Result<PgConnection> {
        Ok(PgConnection::connect(&self.url).await?)
    }

    pub async fn drop(mut self) -> anyhow::Result<()> {
        let statement = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut self.server)
            .await?;
        Ok(())
    }
}

/// Returns the date, the commit and the machine of this run, as a line of the report.
pub fn describe_run() -> anyhow::Result<String> {
    let date = SystemClock.now().to_zoned(TimeZone::UTC).date();
    let commit = std::env::var("COMMIT").unwrap_or_else(|_| "unknown".to_owned());
    let processors = std::thread::available_parallelism()?;
    let model = field("/proc/cpuinfo", "model name")?;
    let memory: u64 = field("/proc/meminfo", "MemTotal")?
        .trim_end_matches(" kB")
        .parse()?;
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease")?;
    Ok(format!(
        "Measured on {date} at commit {commit}: {processors} cores ({model}), {} GB of memory, Linux {}.",
        memory / 1_000_000,
        kernel.trim()
    ))
}

/// Returns the value of the first `name: value` line of a file.
fn field(file: &str, name: &str) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file)?;
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.split_once(':'));
    Ok(value.map_or_else(|| "unknown".to_owned(), |(_, value)| value.trim().to_owned()))
}
