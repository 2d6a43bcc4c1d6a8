//! What a development database starts with.

use kit::InternalError;
use types::{ConsumerId, Money};
use uuid::Uuid;

use super::books;
use crate::GiftCards;

/// The consumer that the demo signs in as.
pub const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));

const DEMO_BALANCE: Money = Money::usd(5_000);

/// Gives the demo consumer 50 dollars, once.
///
/// # Errors
/// [`InternalError`].
pub async fn seed(cx: &GiftCards) -> Result<(), InternalError> {
    let at = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let Some(account) = books::joepass(&mut tx, DEMO_CONSUMER, at).await? else {
        return Ok(());
    };
    let posted = books::give(
        &mut tx,
        account,
        DEMO_BALANCE.minor_units(),
        "seed:demo-consumer",
        "A gift to start with",
        at,
    )
    .await
    .map_err(books::fault)?;
    if let Some(side) = posted.to.filter(|_| !posted.repeated) {
        books::announce(
            &mut tx,
            DEMO_CONSUMER.uuid(),
            books::balance_id(account),
            side,
            at,
        )
        .await?;
    }
    tx.commit().await?;
    tracing::info!(balance = %DEMO_BALANCE, repeated = posted.repeated, "demo consumer has a balance");
    Ok(())
}
