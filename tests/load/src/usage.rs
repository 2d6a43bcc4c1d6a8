//! CPU time of the whole machine and commits of the database server.

use std::time::Duration;

use anyhow::Context;
use sqlx::{Connection, PgConnection};

use crate::stores::setting;

/// Counters at one point in time.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot {
    cpu: Duration,
    commits: i64,
}

/// Difference of two snapshots.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// Sum over all CPUs.
    pub cpu: Duration,
    /// Sum over all databases.
    pub commits: i64,
}

impl Snapshot {
    /// Reads the counters.
    pub async fn take() -> anyhow::Result<Self> {
        let mut server = PgConnection::connect(&setting("ORDERING_DATABASE_URL")?).await?;
        let commits =
            sqlx::query_scalar("SELECT coalesce(sum(xact_commit), 0)::bigint FROM pg_stat_database")
                .fetch_one(&mut server)
                .await?;
        Ok(Self {
            cpu: busy_time(&std::fs::read_to_string("/proc/stat")?)?,
            commits,
        })
    }

    /// Returns the usage since this snapshot.
    pub async fn until_now(self) -> anyhow::Result<Usage> {
        let now = Self::take().await?;
        Ok(Usage {
            cpu: now.cpu.saturating_sub(self.cpu),
            commits: now.commits - self.commits,
        })
    }
}

/// Sums the first line of `/proc/stat` except idle and I/O wait. Its fields are hundredths of a second: user, nice, system,
/// idle, iowait, irq, …
fn busy_time(stat: &str) -> anyhow::Result<Duration> {
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
    fn idle_time_is_excluded() {
        let stat = "cpu  100 1 20 5000 300 2 3 4 0 0\ncpu0 1 1 1 1\n";
        assert_eq!(busy_time(stat).unwrap(), Duration::from_millis(1_300));
    }
}
