//! Runs the SQL of one order with pgbench on new databases of the same server. An order uses three databases one after the
//! other, so their times add up: with rates `a`, `b`, … the combined rate is `1 / (1/a + 1/b + …)`.

use std::{process::Command, time::Duration};

use anyhow::{Context, ensure};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{environment::ScratchDatabase, usage::Snapshot};

/// The SQL of one service. `variable` names its database URL.
struct ServiceScript {
    service: &'static str,
    variable: &'static str,
    script: &'static str,
}

const SCRIPTS: [ServiceScript; 3] = [
    ServiceScript {
        service: "ordering",
        variable: "ORDERING_DATABASE_URL",
        script: include_str!("../pgbench/ordering.sql"),
    },
    ServiceScript {
        service: "stores",
        variable: "STORES_DATABASE_URL",
        script: include_str!("../pgbench/stores.sql"),
    },
    ServiceScript {
        service: "gift-cards",
        variable: "GIFT_CARDS_DATABASE_URL",
        script: include_str!("../pgbench/gift-cards.sql"),
    },
];

#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub clients: u32,
    pub stores: usize,
    pub consumers: usize,
}

/// Rate and cost of the SQL of one order.
#[derive(Debug, Clone, Copy, Default)]
pub struct PgbenchResult {
    /// Orders per second.
    pub per_second: f64,
    /// CPU time of the whole machine, milliseconds per order.
    pub cpu_ms: f64,
    /// Per order.
    pub commits: f64,
    /// Per order, without `BEGIN` and `COMMIT`.
    pub statements: f64,
}

/// Runs each script for an equal share of the time and combines the results.
pub async fn run(size: Size, time: Duration) -> anyhow::Result<PgbenchResult> {
    let share = time / u32::try_from(SCRIPTS.len())?;
    let (mut result, mut seconds) = (PgbenchResult::default(), 0.0);
    for script in SCRIPTS {
        let database = create_database(&script, size).await?;
        let before = Snapshot::take().await?;
        let per_second = bench(&script, &database.url, size, share)?;
        let usage = before.until_now().await?;
        eprintln!("  {}: {per_second:.0} per second", script.service);
        let completed = per_second * share.as_secs_f64();
        seconds += 1.0 / per_second;
        result.cpu_ms += usage.cpu.as_secs_f64() * 1_000.0 / completed;
        result.commits += usage.commits as f64 / completed;
        result.statements += usage.statements as f64 / completed;
        database.drop().await?;
    }
    result.per_second = 1.0 / seconds;
    Ok(result)
}

/// Creates a database with the schema and seed of the service, and rows for the script.
async fn create_database(script: &ServiceScript, size: Size) -> anyhow::Result<ScratchDatabase> {
    let database = ScratchDatabase::create_for(script.service, script.variable).await?;
    let mut conn = database.connect().await?;
    match script.service {
        "stores" => fill_stores(&mut conn, size.stores).await?,
        "gift-cards" => fill_balances(&mut conn, size.consumers).await?,
        _ => {}
    }
    Ok(database)
}

async fn fill_stores(conn: &mut PgConnection, stores: usize) -> anyhow::Result<()> {
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
           longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT ('b' || lpad(to_hex(number), 31, '0'))::uuid, company_id, 'load-' || number, name, street, city, region, postcode, phone, latitude,
           longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text
         FROM stores, generate_series(1, $1) AS number WHERE store_number = 'seed-01'",
    )
    .bind(i32::try_from(stores)?)
    .execute(&mut *conn)
    .await?;
    sqlx::raw_sql(
        "INSERT INTO store_hours
         SELECT store_id, weekday, 0, 1440 FROM stores, generate_series(1, 7) AS weekday WHERE store_number LIKE 'load-%';
         ANALYZE;",
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn fill_balances(conn: &mut PgConnection, consumers: usize) -> anyhow::Result<()> {
    sqlx::query(
        "WITH opened AS (
           INSERT INTO ledger.accounts (id, kind, owner, unit, opened_at)
           SELECT gen_random_uuid(), 'joepass', lpad(to_hex(number), 32, '0')::uuid, 'usd', now()
           FROM generate_series(1, $1) AS number RETURNING id)
         INSERT INTO ledger.balances (account_id, balance) SELECT id, 1000000000 FROM opened",
    )
    .bind(i32::try_from(consumers)?)
    .execute(conn)
    .await?;
    Ok(())
}

fn bench(script: &ServiceScript, url: &str, size: Size, time: Duration) -> anyhow::Result<f64> {
    let file = std::env::temp_dir().join(format!("{}.sql", Uuid::new_v4()));
    std::fs::write(&file, script.script)?;
    let mut arguments = vec![
        format!("--client={}", size.clients),
        format!("--define=clients={}", size.clients),
        format!("--define=stores={}", size.stores),
        format!("--define=consumers={}", size.consumers),
        format!("--time={}", time.as_secs().max(1)),
        format!("--file={}", file.display()),
    ];
    arguments.extend(["--no-vacuum", "--protocol=prepared", "--jobs=2"].map(str::to_owned));
    let result = pgbench(&arguments, url).with_context(|| script.service);
    std::fs::remove_file(&file)?;
    result
}

/// Runs pgbench and returns the transactions per second.
pub fn pgbench(arguments: &[String], url: &str) -> anyhow::Result<f64> {
    let output = Command::new("pgbench")
        .args(arguments)
        .arg(url)
        .output()
        .context("pgbench (part of PostgreSQL)")?;
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    ensure!(output.status.success(), "pgbench: {stderr}");
    transactions_per_second(&stdout).with_context(|| format!("pgbench printed: {stdout}{stderr}"))
}

/// Creates the tables of TPC-B.
pub fn initialize(scale: u32, url: &str) -> anyhow::Result<()> {
    let output = Command::new("pgbench")
        .args(["--initialize", "--quiet", &format!("--scale={scale}"), url])
        .output()
        .context("pgbench (part of PostgreSQL)")?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pgbench --initialize: {stderr}");
    Ok(())
}

/// Parses `tps = 1234.5 (without initial connection time)`.
fn transactions_per_second(stdout: &str) -> Option<f64> {
    let line = stdout.lines().find_map(|line| line.strip_prefix("tps = "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_rate_of_pgbench() {
        let stdout = "latency average = 4.1 ms\ntps = 1951.25 (without initial connection time)\n";
        assert_eq!(transactions_per_second(stdout), Some(1951.25));
        assert_eq!(transactions_per_second("pgbench: error"), None);
    }

    /// The statements of the scripts, each with the function that executes it.
    const STATEMENTS: [(&str, &str, &str, &str); 4] = [
        (
            include_str!("../pgbench/ordering.sql"),
            "begin",
            include_str!("../../../services/ordering/src/db/steps.rs"),
            "begin",
        ),
        (
            include_str!("../pgbench/ordering.sql"),
            "advance",
            include_str!("../../../services/ordering/src/db/steps.rs"),
            "advance",
        ),
        (
            include_str!("../pgbench/gift-cards.sql"),
            "hold_value",
            include_str!("../../../services/gift-cards/src/db/hold_step.rs"),
            "insert",
        ),
        (
            include_str!("../pgbench/stores.sql"),
            "reserve_capacity",
            include_str!("../../../services/stores/src/db/capacity.rs"),
            "reserve",
        ),
    ];

    /// Returns the text between two others.
    fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
        let (_, rest) = text.split_once(start).expect(start);
        rest.split_once(end).map_or(rest, |(found, _)| found)
    }

    /// Returns the tables and common table expressions that a statement reads and writes, in their order.
    fn relations(statement: &str) -> Vec<&str> {
        let is_name = |character: char| character.is_alphanumeric() || "_.".contains(character);
        let words: Vec<&str> = statement
            .split(|character| !is_name(character))
            .filter(|word| !word.is_empty())
            .collect();
        let pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
        pairs
            .filter(|(keyword, _)| ["FROM", "INTO", "UPDATE", "JOIN"].contains(keyword))
            .map(|(_, name)| name)
            // Not a subquery, a keyword or a number.
            .filter(|name| name.starts_with(|first: char| first.is_lowercase()))
            .collect()
    }

    #[test]
    fn the_scripts_use_the_tables_of_the_services() {
        for (script, section, source, function) in STATEMENTS {
            let reference = between(script, &format!("-- {section}:"), "\n-- ");
            let source = between(source, &format!("pub async fn {function}("), "\n}\n");
            let statement = between(source, "r#\"", "\"#");
            assert!(relations(statement).len() >= 4, "{section}");
            assert_eq!(relations(reference), relations(statement), "{section}");
        }
    }
}
