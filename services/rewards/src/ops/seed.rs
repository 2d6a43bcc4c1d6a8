//! What a development database starts with.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, Money};
use uuid::Uuid;

use super::{books, tell::tell};
use crate::{
    Rewards, db,
    domain::{Notice, Off, Promo},
};

/// The consumer that the demo signs in as.
pub const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));

const DEMO_POINTS: i64 = 120;
const TIERS: [(i64, &str); 3] = [
    (250, "$1 off a drink"),
    (600, "$3 off a drink"),
    (1000, "A free drink up to $6"),
];
/// The start of 2025 and of its February, and of 2026.
const YEAR_2025: Timestamp = Timestamp::constant(1_735_689_600, 0);
const FEBRUARY_2025: Timestamp = Timestamp::constant(1_738_368_000, 0);
const YEAR_2026: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Writes tiers, promo codes and what the demo consumer starts with. May be repeated.
///
/// # Errors
/// [`InternalError`].
pub async fn seed(cx: &Rewards) -> Result<(), InternalError> {
    let at = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    for (points, title) in TIERS {
        db::tiers::put(&mut tx, points, title).await?;
    }
    for promo in promos() {
        db::promos::put(&mut tx, &promo, None).await?;
    }
    greet_demo_consumer(&mut tx, at).await?;
    tx.commit().await?;
    tracing::info!("tiers, promo codes and the demo consumer are there");
    Ok(())
}

fn promos() -> [Promo; 3] {
    let promo = |code: &str, off, minimum, once| Promo {
        code: code.to_owned(),
        off,
        minimum,
        once,
        starts_at: YEAR_2026,
        ends_at: None,
        limited: false,
        used_up: false,
    };
    [
        promo("WELCOME3", Off::Fixed(Money::usd(300)), Money::ZERO, true),
        promo("FRESH10", Off::Rate(100_000), Money::usd(500), false),
        Promo {
            starts_at: YEAR_2025,
            ends_at: Some(FEBRUARY_2025),
            ..promo("EXPIRED1", Off::Fixed(Money::usd(100)), Money::ZERO, false)
        },
    ]
}

async fn greet_demo_consumer(conn: &mut PgConnection, at: Timestamp) -> Result<(), InternalError> {
    if db::consumers::enter(conn, DEMO_CONSUMER).await?.is_none() {
        return Ok(());
    }
    let posting = Posting {
        reference: "seed:demo-consumer",
        from: books::DEVELOPMENT,
        to: books::open(conn, DEMO_CONSUMER, at).await?,
        unit: Unit::Points,
        amount: DEMO_POINTS,
        overdraft: Overdraft::Refused,
        kind: "gift",
        explanation: "A gift to start with",
        subject: None,
        at,
    };
    ledger::post(conn, posting).await.map_err(books::fault)?;
    tell(conn, DEMO_CONSUMER, "welcome", &Notice::welcome(), None, at, at).await?;
    Ok(())
}
