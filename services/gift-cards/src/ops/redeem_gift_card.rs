//! Adds a gift card to the wallet by its code.

use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::ConsumerId;

use super::wallet::find_balance;
use crate::{
    GiftCards,
    db::{
        consumers,
        gift_cards::{self, FoundCard},
    },
    domain::{gift_card::GiftCardKind, secret::GiftCode, wallet::Balance},
};

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The code does not exist, was used, is canceled, or belongs to a card of another kind.
    #[error("code is not valid")]
    CodeNotValid,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(LinkError);

impl From<LinkError> for ServiceError {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::CodeNotValid => Self::new(
                ErrorCode::RuleViolation,
                "CODE_NOT_VALID",
                "That code isn't valid. Check it and try again.",
            )
            .with_field("code"),
            LinkError::Internal(error) => error.into(),
        }
    }
}

/// Adds a gift card to the consumer's wallet by its code. Returns the card again if the consumer already has it.
///
/// The gateway limits the number of attempts.
///
/// # Errors
/// [`LinkError::CodeNotValid`] if the code is wrong or canceled, or another consumer has the card.
pub async fn redeem_gift_card(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    code: &str,
) -> Result<Balance, LinkError> {
    link_card(cx, consumer_id, code, |card| {
        card.kind == GiftCardKind::Digital.as_str()
    })
    .await
}

/// Adds a card that satisfies the condition to the consumer's wallet.
pub(super) async fn link_card(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    code: &str,
    is_accepted: impl FnOnce(&FoundCard) -> bool,
) -> Result<Balance, LinkError> {
    let code = GiftCode::parse(code).ok_or(LinkError::CodeNotValid)?;
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if !consumers::ensure_active(&mut tx, consumer_id).await? {
        return Err(LinkError::CodeNotValid);
    }
    let card = gift_cards::lock_by_code(&mut tx, &cx.secret.code_hash(&code))
        .await?
        .filter(|card| !card.is_canceled && is_accepted(card))
        .ok_or(LinkError::CodeNotValid)?;
    match card.consumer_id {
        Some(owner) if owner != consumer_id => return Err(LinkError::CodeNotValid),
        Some(_) => {}
        None => gift_cards::link(&mut tx, card.id, consumer_id, now).await?,
    }
    let balance = balance_of(&mut tx, consumer_id, &card).await?;
    tx.commit().await?;
    tracing::info!(gift_card_id = %card.id, "gift card added to a wallet");
    Ok(balance)
}

async fn balance_of(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    card: &FoundCard,
) -> Result<Balance, InternalError> {
    let missing = || InternalError::invariant_violated("linked gift card not found");
    let card = gift_cards::find(conn, card.id).await?.ok_or_else(missing)?;
    find_balance(conn, consumer_id, card.balance_id)
        .await?
        .ok_or_else(missing)
}
