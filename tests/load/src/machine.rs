//! What the whole machine has spent: processor time of everything on it, and commits of the database server.

use std::time::Duration;

use anyhow::Context;
use sqlx::{Connection, PgConnection};

use crate::shops::setting;

/// Counters at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    processor: Duration,
    commits: i64,
}

/// What was spent between two moments.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    /// Of all processors together.
    pub processor: Duration,
    /// Of all databases.
    pub commits: i64,
}

impl Reading {
    /// What the counters say now.
    ///
    /// # Errors
    /// They cannot be read.
    pub async fn take() -> anyhow::Result<Self> {
        let mut server = PgConnection::connect(&setting("ORDERING_DATABASE_URL")?).await?;
        let commits =
            sqlx::query_scalar("SELECT coalesce(sum(xact_commit), 0)::bigint FROM pg_stat_database")
                .fetch_one(&mut server)
                .await?;
        Ok(Self {
            processor: busy(&std::fs::read_to_string("/proc/stat")?)?,
            commits,
        })
    }

    /// What was spent since.
    ///
    /// # Errors
    /// The counters cannot be read.
    pub async fn until_now(self) -> anyhow::Result<Spent> {
        let now = Self::take().await?;
        Ok(Spent {
            processor: now.processor.saturating_sub(self.processor),
            commits: now.commits - self.commits,
        })
    }
}

/// The first line of `/proc/stat`: hundredths of a second as user, nice, system, idle, waiting, interrupts …
fn busy(stat: &str) -> anyhow::Result<Duration> {
    const IDLE: [usize; 2] = [3, 4];
    const COUNTED: usize = 8;
    let fields = stat
        .lines()
        .next()
        .context("/proc/stat is empty")?
        .split_whitespace()
        .skip(1)
        .take(COUNTED);
    let mut ticks = 0;
    for (place, field) in fields.enumerate().filter(|(place, _)| !IDLE.contains(place)) {
        ticks += field
            .parse::<u64>()
            .with_context(|| format!("/proc/stat, field {place}"))?;
    }
    Ok(Duration::from_millis(ticks * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_is_not_spent() {
        let stat = "cpu  100 1 20 5000 300 2 3 4 0 0\ncpu0 1 1 1 1\n";
        assert_eq!(busy(stat).unwrap(), Duration::from_millis(1_300));
    }
}
