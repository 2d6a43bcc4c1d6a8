//! Demo data for development.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::ConsumerId;
use uuid::Uuid;

use super::{import_catalog::import_catalog, register_consumer::welcome};
use crate::{
    Rewards,
    db::{
        accounts::{self, DEVELOPMENT},
        consumers,
    },
};

/// The consumer that the demo signs in as.
pub const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));

const DEMO_POINTS: i64 = 120;
const CATALOGS: [&str; 2] = [
    include_str!("../../../../deploy/seed/rewards.toml"),
    include_str!("../../../../deploy/seed/rewards-company.toml"),
];

/// Imports the catalogs of `deploy/seed`, and writes the demo consumer's points and welcome message. Idempotent.
pub async fn seed(cx: &Rewards) -> anyhow::Result<()> {
    for text in CATALOGS {
        import_catalog(cx, text).await?;
    }
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    seed_demo_consumer(&mut tx, cx.clock.now()).await?;
    tx.commit().await?;
    tracing::info!("seeded the catalogs and the demo consumer");
    Ok(())
}

async fn seed_demo_consumer(conn: &mut PgConnection, at: Timestamp) -> Result<(), InternalError> {
    if consumers::ensure_active(conn, DEMO_CONSUMER).await?.is_none() {
        return Ok(());
    }
    let gift = Posting {
        reference: "seed:demo-consumer",
        from: DEVELOPMENT,
        to: accounts::open_points(conn, DEMO_CONSUMER, at).await?,
        unit: Unit::Points,
        amount: DEMO_POINTS,
        overdraft: Overdraft::Forbidden,
        kind: "gift",
        explanation: "Welcome gift",
        subject: None,
        at,
    };
    ledger::post(conn, gift).await?;
    Ok(welcome(conn, DEMO_CONSUMER, at, at).await?)
}
