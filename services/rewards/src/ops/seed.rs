//! Demo data for development.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, Money};
use uuid::Uuid;

use super::{add_inbox_message::add_inbox_message, register_consumer::WELCOME_REFERENCE};
use crate::{
    Rewards,
    db::{
        accounts::{self, DEVELOPMENT},
        consumers, promos, reward_tiers,
    },
    domain::{
        inbox::NewMessage,
        notification::Notification,
        promo::{DiscountRule, Promo},
    },
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
const JANUARY_2025: Timestamp = Timestamp::constant(1_735_689_600, 0);
const FEBRUARY_2025: Timestamp = Timestamp::constant(1_738_368_000, 0);
const JANUARY_2026: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Writes reward tiers, promo codes, and the demo consumer's points and welcome message. Idempotent.
pub async fn seed(cx: &Rewards) -> Result<(), InternalError> {
    let mut tx = cx.pool.begin().await?;
    for (points, title) in TIERS {
        reward_tiers::upsert(&mut tx, points, title).await?;
    }
    for promo in demo_promos() {
        promos::insert_if_missing(&mut tx, &promo, None).await?;
    }
    seed_demo_consumer(&mut tx, cx.clock.now()).await?;
    tx.commit().await?;
    tracing::info!("seeded reward tiers, promo codes and the demo consumer");
    Ok(())
}

fn demo_promos() -> [Promo; 3] {
    let welcome = Promo {
        code: "WELCOME3".to_owned(),
        rule: DiscountRule::Fixed(Money::usd(300)),
        min_subtotal: Money::ZERO,
        once_per_consumer: true,
        starts_at: JANUARY_2026,
        ends_at: None,
        is_limited: false,
        is_used_up: false,
    };
    let ten_percent = Promo {
        code: "FRESH10".to_owned(),
        rule: DiscountRule::Rate(100_000),
        min_subtotal: Money::usd(500),
        once_per_consumer: false,
        ..welcome.clone()
    };
    let expired = Promo {
        code: "EXPIRED1".to_owned(),
        rule: DiscountRule::Fixed(Money::usd(100)),
        once_per_consumer: false,
        starts_at: JANUARY_2025,
        ends_at: Some(FEBRUARY_2025),
        ..welcome.clone()
    };
    [welcome, ten_percent, expired]
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
        overdraft: Overdraft::Refused,
        kind: "gift",
        explanation: "Welcome gift",
        subject: None,
        at,
    };
    ledger::post(conn, gift).await?;
    let message = NewMessage {
        consumer_id: DEMO_CONSUMER,
        reference: WELCOME_REFERENCE.to_owned(),
        notification: Notification::welcome(),
        order_id: None,
        at,
    };
    add_inbox_message(conn, message, at).await?;
    Ok(())
}
