//! P4: ledger postings per second, next to pgbench's TPC-B on the same server.

use std::{sync::Arc, time::Duration};

use anyhow::ensure;
use async_trait::async_trait;
use ledger::{AccountId, Overdraft, Posting, Unit};
use sqlx::{PgPool, postgres::PgPoolOptions};
use types::{Clock, SystemClock};
use uuid::Uuid;

use crate::{
    environment::ScratchDatabase,
    generator::{LoadGenerator, Operation},
    pgbench,
    report::{Section, TargetResult, format_ms},
};

/// Connections of each measurement.
const CLIENTS: usize = 8;
const ACCOUNTS: usize = 10_000;
/// Branches of TPC-B. More than clients, so that they seldom wait for each other.
const TPC_B_SCALE: u32 = 50;
const WARM_UP: Duration = Duration::from_secs(2);

/// The account that receives all postings of a measurement.
#[derive(Debug, Clone, Copy)]
enum Receiver {
    /// A different account for each posting.
    Spread,
    /// The account of all held amounts, which each order posts to.
    System,
    /// The balance of one consumer.
    Consumer,
}

struct Postings {
    pool: PgPool,
    accounts: Arc<[AccountId]>,
    receiver: Receiver,
}

#[async_trait]
impl Operation for Postings {
    async fn run(&self, number: usize) -> anyhow::Result<()> {
        let count = self.accounts.len();
        let from = self.accounts[1 + number % (count - 1)];
        let to = match self.receiver {
            Receiver::Spread => self.accounts[1 + (number + count / 2) % (count - 1)],
            Receiver::System => AccountId::fixed(2),
            Receiver::Consumer => self.accounts[0],
        };
        let posting = Posting {
            reference: &Uuid::new_v4().to_string(),
            from,
            to,
            unit: Unit::Usd,
            amount: 1,
            overdraft: Overdraft::Forbidden,
            kind: "order_held",
            explanation: "Load test",
            subject: None,
            at: SystemClock.now(),
        };
        let mut tx = kit::postgres::begin(&self.pool).await?;
        ledger::post(&mut tx, posting).await?;
        Ok(tx.commit().await?)
    }
}

/// Measures postings spread over accounts and to one account, and then TPC-B.
pub async fn measure(time: Duration) -> anyhow::Result<Section> {
    let database = ScratchDatabase::create_for("gift-cards", "GIFT_CARDS_DATABASE_URL").await?;
    let pool = PgPoolOptions::new()
        .max_connections(u32::try_from(CLIENTS)?)
        .min_connections(u32::try_from(CLIENTS)?)
        .connect(&database.url)
        .await?;
    let accounts = open_accounts(&pool).await?;
    let mut rows = Vec::new();
    let mut rates = Vec::new();
    for (name, receiver) in [
        ("postings between 10,000 balances", Receiver::Spread),
        ("postings to one system account", Receiver::System),
        ("postings to the balance of one consumer", Receiver::Consumer),
    ] {
        eprintln!("  {name}");
        let postings = LoadGenerator::new(Postings {
            pool: pool.clone(),
            accounts: Arc::clone(&accounts),
            receiver,
        });
        postings.closed_loop(CLIENTS, WARM_UP).await;
        let measured = postings.closed_loop(CLIENTS, time).await;
        ensure!(
            measured.failed.is_empty(),
            "postings failed: {:?}",
            measured.failed
        );
        rates.push(measured.per_second());
        rows.push(vec![
            name.to_owned(),
            format!("{:.0}", measured.per_second()),
            format_ms(measured.percentile(50)),
            format_ms(measured.percentile(99)),
        ]);
    }
    pool.close().await;
    database.drop().await?;
    let tpc_b = tpc_b(time).await?;
    rows.push(vec![
        format!("pgbench TPC-B, {CLIENTS} clients"),
        format!("{tpc_b:.0}"),
        "–".to_owned(),
        "–".to_owned(),
    ]);
    Ok(Section {
        id: "p4",
        columns: &["", "per second", "p50", "p99"],
        rows,
        targets: vec![
            TargetResult::at_least("spread postings by TPC-B", rates[0] / tpc_b, 1.0, ""),
            TargetResult::at_least(
                "one system account by spread postings",
                rates[1] / rates[0],
                0.9,
                "",
            ),
            TargetResult::at_least(
                "one consumer's balance by spread postings",
                rates[2] / rates[0],
                0.9,
                "",
            ),
        ],
    })
}

async fn open_accounts(pool: &PgPool) -> anyhow::Result<Arc<[AccountId]>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "WITH opened AS (
           INSERT INTO ledger.accounts (id, kind, owner, unit, opened_at)
           SELECT gen_random_uuid(), 'joepass', gen_random_uuid(), 'usd', now() FROM generate_series(1, $1)
           RETURNING id)
         INSERT INTO ledger.balances (account_id, balance) SELECT id, 1000000000 FROM opened RETURNING account_id",
    )
    .bind(i32::try_from(ACCOUNTS)?)
    .fetch_all(pool)
    .await?;
    sqlx::raw_sql("ANALYZE").execute(pool).await?;
    Ok(ids.into_iter().map(AccountId::from).collect())
}

async fn tpc_b(time: Duration) -> anyhow::Result<f64> {
    eprintln!("  TPC-B");
    let database = ScratchDatabase::create().await?;
    pgbench::initialize(TPC_B_SCALE, &database.url)?;
    let mut arguments = vec![
        format!("--client={CLIENTS}"),
        format!("--time={}", time.as_secs().max(1)),
    ];
    arguments.extend(["--protocol=prepared", "--jobs=2"].map(str::to_owned));
    let rate = pgbench::pgbench(&arguments, &database.url)?;
    database.drop().await?;
    Ok(rate)
}
