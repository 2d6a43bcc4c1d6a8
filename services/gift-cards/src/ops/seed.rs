//! Demo data for development.

use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use types::{ConsumerId, Money};
use uuid::Uuid;

use super::publish_balance_changed::publish_balance_changed;
use crate::{
    GiftCards,
    db::accounts::{self, DEVELOPMENT},
};

/// The consumer that the demo signs in as.
pub const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));

const DEMO_BALANCE: Money = Money::usd(5_000);

/// Gives the demo consumer a balance. Idempotent.
pub async fn seed(cx: &GiftCards) -> Result<(), InternalError> {
    let at = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let Some(account) = accounts::open_joepass(&mut tx, DEMO_CONSUMER, at).await? else {
        return Ok(());
    };
    let gift = Posting {
        reference: "seed:demo-consumer",
        from: DEVELOPMENT,
        to: account,
        unit: Unit::Usd,
        amount: DEMO_BALANCE.minor_units(),
        overdraft: Overdraft::Refused,
        kind: "gift",
        explanation: "Welcome gift",
        subject: None,
        at,
    };
    let posted = ledger::post(&mut tx, gift).await?;
    if let Some(after) = posted.to.filter(|_| !posted.is_duplicate) {
        let balance_id = accounts::balance_id(account);
        publish_balance_changed(&mut tx, DEMO_CONSUMER, balance_id, after, at).await?;
    }
    tx.commit().await?;
    tracing::info!(balance = %DEMO_BALANCE, is_duplicate = posted.is_duplicate, "seeded the demo balance");
    Ok(())
}
