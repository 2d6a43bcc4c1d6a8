//! CPU time of the machine and of each program, and commits and statements of the database server.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context;
use sqlx::{Connection, PgConnection};

use crate::environment::setting;

/// A tick of the counters in `/proc` is a hundredth of a second.
const TICK_MILLIS: u64 = 10;

/// Counters at one point in time.
#[derive(Debug, Clone)]
pub struct Snapshot {
    cpu: Duration,
    programs: BTreeMap<String, Duration>,
    commits: i64,
    statements: i64,
}

/// Difference of two snapshots.
#[derive(Debug, Clone)]
pub struct Usage {
    /// Sum over all CPUs.
    pub cpu: Duration,
    /// By name of the program. A process that ended in between is missing.
    pub programs: BTreeMap<String, Duration>,
    /// Sum over all databases.
    pub commits: i64,
    /// Sum over all databases, without `BEGIN` and `COMMIT`.
    pub statements: i64,
}

impl Snapshot {
    /// Reads the counters.
    pub async fn take() -> anyhow::Result<Self> {
        let mut server = PgConnection::connect(&setting("ORDERING_DATABASE_URL")?).await?;
        sqlx::query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
            .execute(&mut server)
            .await?;
        let (commits, statements) = sqlx::query_as(
            "SELECT (SELECT coalesce(sum(xact_commit), 0)::bigint FROM pg_stat_database),
                    (SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements)",
        )
        .fetch_one(&mut server)
        .await?;
        Ok(Self {
            cpu: busy_time(&std::fs::read_to_string("/proc/stat")?)?,
            programs: program_times()?,
            commits,
            statements,
        })
    }

    /// Returns the usage since this snapshot.
    pub async fn until_now(&self) -> anyhow::Result<Usage> {
        let now = Self::take().await?;
        let programs = now.programs.into_iter().map(|(name, time)| {
            let before = self.programs.get(&name).copied().unwrap_or_default();
            (name, time.saturating_sub(before))
        });
        Ok(Usage {
            cpu: now.cpu.saturating_sub(self.cpu),
            programs: programs.collect(),
            commits: now.commits - self.commits,
            statements: now.statements - self.statements,
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
    Ok(Duration::from_millis(ticks * TICK_MILLIS))
}

/// Sums the CPU time of the running processes of each program.
fn program_times() -> anyhow::Result<BTreeMap<String, Duration>> {
    let mut times: BTreeMap<String, Duration> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc")? {
        // A process may end between the two reads.
        let Ok(stat) = std::fs::read_to_string(entry?.path().join("stat")) else {
            continue;
        };
        if let Some((name, time)) = process_time(&stat) {
            *times.entry(name.to_owned()).or_default() += time;
        }
    }
    Ok(times)
}

/// Returns the CPU time of a process so far.
pub fn time_of(process: u32) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    Ok(process_time(&stat).context("malformed /proc/<id>/stat")?.1)
}

/// Parses the name and the CPU time of `/proc/<id>/stat`: `id (name) state …`, with user and system time as the 12th and 13th
/// fields after the name.
fn process_time(stat: &str) -> Option<(&str, Duration)> {
    let (before, after) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let mut fields = after.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some((name, Duration::from_millis((user + system) * TICK_MILLIS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_is_excluded() {
        let stat = "cpu  100 1 20 5000 300 2 3 4 0 0\ncpu0 1 1 1 1\n";
        assert_eq!(busy_time(stat).unwrap(), Duration::from_millis(1_300));
    }

    #[test]
    fn the_time_of_a_process_is_user_and_system_time() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 900 0 0 0 150 25 0 0 20 0 5 0 1000 1 1\n";
        assert_eq!(process_time(stat), Some(("a) b", Duration::from_millis(1_750))));
    }
}
