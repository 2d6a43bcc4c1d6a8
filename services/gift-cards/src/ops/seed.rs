//! Demo data for development.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, GiftCardId, Money};
use uuid::Uuid;

use super::{
    import_deals::{parse_deals, write_deals},
    publish_balance_changed::publish_balance_changed,
};
use crate::{
    GiftCards,
    db::{
        accounts::{self, DEVELOPMENT, GIFT_CARD, balance_id},
        gift_cards, postings,
    },
    domain::{
        gift_card::{GiftCard, GiftCardKind, NewGiftCard},
        secret::GiftCode,
    },
};

/// The consumer that the demo signs in as.
pub const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));

const DEMO_BALANCE: Money = Money::usd(5_000);

/// Number of a physical card for development. It is public, like its PIN.
pub const DEMO_CARD_NUMBER: &str = "JAVA-2026-CAFE-0001";
pub const DEMO_CARD_PIN: &str = "2580";
const DEMO_CARD: GiftCardId =
    GiftCardId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_00c1));
const DEMO_CARD_VALUE: Money = Money::usd(2_500);

const DEALS: &str = include_str!("../../../../deploy/seed/deals.json");

/// Creates the deals, a physical card and the balance of the demo consumer. Idempotent.
pub async fn seed(cx: &GiftCards) -> anyhow::Result<()> {
    let at = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    write_deals(&mut tx, &parse_deals(DEALS)?, at).await?;
    insert_physical_card(cx, &mut tx, at).await?;
    give_demo_balance(&mut tx, at).await?;
    tx.commit().await?;
    Ok(())
}

async fn insert_physical_card(
    cx: &GiftCards,
    conn: &mut PgConnection,
    at: Timestamp,
) -> Result<(), InternalError> {
    let number = GiftCode::parse(DEMO_CARD_NUMBER)
        .ok_or_else(|| InternalError::invariant_violated("the number of the demo card is malformed"))?;
    let account = accounts::open_card(conn, GIFT_CARD, DEMO_CARD, at).await?;
    let card = NewGiftCard {
        card: GiftCard {
            id: DEMO_CARD,
            kind: GiftCardKind::Physical,
            balance_id: balance_id(account),
            code_suffix: number.suffix().to_owned(),
            design: "classic".to_owned(),
            consumer_id: None,
        },
        code_hash: Some(cx.secret.code_hash(&number)),
        pin_hash: Some(cx.secret.card_pin_hash(DEMO_CARD, DEMO_CARD_PIN)),
        purchase_id: None,
        issued_at: at,
    };
    gift_cards::insert(conn, &card).await?;
    postings::post_physical_card(conn, account, DEMO_CARD_VALUE, at).await?;
    Ok(())
}

async fn give_demo_balance(conn: &mut PgConnection, at: Timestamp) -> Result<(), InternalError> {
    let Some(account) = accounts::open_joepass(conn, DEMO_CONSUMER, at).await? else {
        return Ok(());
    };
    let gift = Posting {
        reference: "seed:demo-consumer",
        from: DEVELOPMENT,
        to: account,
        unit: Unit::Usd,
        amount: DEMO_BALANCE.minor_units(),
        overdraft: Overdraft::Forbidden,
        kind: "gift",
        explanation: "Welcome gift",
        subject: None,
        at,
    };
    let posted = ledger::post(conn, gift).await?;
    if let Some(after) = posted.to.filter(|_| !posted.is_duplicate) {
        publish_balance_changed(conn, DEMO_CONSUMER, balance_id(account), after, at).await?;
    }
    tracing::info!(balance = %DEMO_BALANCE, is_duplicate = posted.is_duplicate, "seeded the demo balance");
    Ok(())
}
