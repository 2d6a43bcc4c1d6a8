//! The same SQL without anything around it: pgbench on fresh databases of the same server. An order asks three databases,
//! one after the other, so their times add up: at `a`, `b` and `c` a second there are `1 / (1/a + 1/b + 1/c)` orders.

use std::{process::Command, time::Duration};

use anyhow::{Context, ensure};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use crate::{
    machine::Reading,
    shops::{program, setting},
};

/// A service's part: its program, where its database is named, and its statements.
struct Part {
    service: &'static str,
    variable: &'static str,
    script: &'static str,
}

const PARTS: [Part; 3] = [
    Part {
        service: "ordering",
        variable: "ORDERING_DATABASE_URL",
        script: include_str!("../pgbench/ordering.sql"),
    },
    Part {
        service: "stores",
        variable: "STORES_DATABASE_URL",
        script: include_str!("../pgbench/stores.sql"),
    },
    Part {
        service: "gift-cards",
        variable: "GIFT_CARDS_DATABASE_URL",
        script: include_str!("../pgbench/gift-cards.sql"),
    },
];

/// How much there is of everything.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Connections at once.
    pub clients: u32,
    /// Stores that are ordered from.
    pub stores: usize,
    /// Consumers who order.
    pub consumers: usize,
}

/// What an order is without anything around it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bare {
    /// Orders a second.
    pub a_second: f64,
    /// Processor time of all the machine, milliseconds an order.
    pub processor_ms: f64,
    /// Commits an order.
    pub commits: f64,
}

/// Runs each part for its share of the time, and adds the parts up.
///
/// # Errors
/// A database cannot be made, or pgbench fails.
pub async fn run(size: Size, time: Duration) -> anyhow::Result<Bare> {
    let share = time / u32::try_from(PARTS.len())?;
    let (mut bare, mut seconds) = (Bare::default(), 0.0);
    for part in PARTS {
        let database = Fresh::make(&part, size).await?;
        let before = Reading::take().await?;
        let a_second = bench(&part, &database.url, size, share)?;
        let spent = before.until_now().await?;
        eprintln!("  {}: {a_second:.0} a second", part.service);
        let done = a_second * share.as_secs_f64();
        seconds += 1.0 / a_second;
        bare.processor_ms += spent.processor.as_secs_f64() * 1_000.0 / done;
        bare.commits += spent.commits as f64 / done;
        database.drop().await?;
    }
    bare.a_second = 1.0 / seconds;
    Ok(bare)
}

struct Fresh {
    server: PgConnection,
    name: String,
    url: String,
}

impl Fresh {
    /// A database as the service makes it, with something to work on.
    async fn make(part: &Part, size: Size) -> anyhow::Result<Self> {
        let mut url = url::Url::parse(&setting(part.variable)?)?;
        let mut server = PgConnection::connect(url.as_str()).await?;
        let name = format!("pgbench_{}", Uuid::new_v4().simple());
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut server)
            .await?;
        url.set_path(&name);
        for verb in ["migrate", "seed"] {
            let made = Command::new(program(part.service)?)
                .arg(verb)
                .env(part.variable, url.as_str())
                .output()?;
            ensure!(
                made.status.success(),
                "{} {verb}: {}",
                part.service,
                String::from_utf8_lossy(&made.stderr)
            );
        }
        let mut own = PgConnection::connect(url.as_str()).await?;
        match part.service {
            "stores" => fill_stores(&mut own, size.stores).await?,
            "gift-cards" => fill_balances(&mut own, size.consumers).await?,
            _ => {}
        }
        Ok(Self {
            server,
            name,
            url: url.into(),
        })
    }

    async fn drop(mut self) -> anyhow::Result<()> {
        let statement = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut self.server)
            .await?;
        Ok(())
    }
}

async fn fill_stores(conn: &mut PgConnection, stores: usize) -> anyhow::Result<()> {
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
           longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), company_id, 'load-' || number, name, street, city, region, postcode, phone, latitude,
           longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text
         FROM stores, generate_series(1, $1) AS number WHERE store_number = 'seed-01'",
    )
    .bind(i32::try_from(stores)?)
    .execute(&mut *conn)
    .await?;
    sqlx::raw_sql(
        "CREATE TABLE load_stores (number integer PRIMARY KEY, store_id uuid NOT NULL);
         INSERT INTO load_stores SELECT row_number() OVER (), store_id FROM stores WHERE store_number LIKE 'load-%';
         INSERT INTO store_hours SELECT store_id, weekday, 0, 1440 FROM load_stores, generate_series(1, 7) AS weekday;
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

fn bench(part: &Part, url: &str, size: Size, time: Duration) -> anyhow::Result<f64> {
    let script = std::env::temp_dir().join(format!("{}.sql", Uuid::new_v4()));
    std::fs::write(&script, part.script)?;
    let output = Command::new("pgbench")
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2"])
        .arg(format!("--client={}", size.clients))
        .arg(format!("--define=stores={}", size.stores))
        .arg(format!("--define=consumers={}", size.consumers))
        .arg(format!("--time={}", time.as_secs().max(1)))
        .arg(format!("--file={}", script.display()))
        .arg(url)
        .output()
        .context("pgbench (it comes with PostgreSQL)")?;
    std::fs::remove_file(&script)?;
    let (said, complained) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    ensure!(output.status.success(), "pgbench {}: {complained}", part.service);
    transactions_a_second(&said).with_context(|| format!("pgbench {} said: {said}{complained}", part.service))
}

/// From `tps = 1234.5 (without initial connection time)`.
fn transactions_a_second(said: &str) -> Option<f64> {
    let line = said.lines().find_map(|line| line.strip_prefix("tps = "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_what_pgbench_says() {
        let said = "latency average = 4.1 ms\ntps = 1951.25 (without initial connection time)\n";
        assert_eq!(transactions_a_second(said), Some(1951.25));
        assert_eq!(transactions_a_second("pgbench: error"), None);
    }
}
