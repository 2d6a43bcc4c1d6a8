use std::time::Duration;

use types::ConsumerId;

use super::complete_setup::complete_setup;
use super::customer::CustomerError;
use crate::Payments;
use crate::db::{payment_methods, setup_intents};
use crate::domain::payment_method::PaymentMethod;

/// How long after its start a bank session can be completed. The provider waits ten days for small deposits to be confirmed.
const MAX_SESSION_AGE: Duration = Duration::from_hours(14 * 24);
/// In this time, another call or the provider's webhook completed the session that the app asks about.
const SAME_SESSION: Duration = Duration::from_mins(10);
/// Sessions that are checked: consumers may open the page several times.
const MAX_SESSIONS: i64 = 5;

#[derive(Debug, thiserror::Error)]
pub enum AddBankAccountError {
    /// The consumer did not finish a session.
    #[error("no bank account was linked")]
    NotLinked,
    #[error(transparent)]
    Customer(#[from] CustomerError),
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(AddBankAccountError);

impl From<AddBankAccountError> for kit::ServiceError {
    fn from(error: AddBankAccountError) -> Self {
        match error {
            AddBankAccountError::NotLinked => Self::new(
                kit::ErrorCode::Conflict,
                "BANK_NOT_LINKED",
                "Your bank account isn't linked yet. Please try again.",
            ),
            AddBankAccountError::Customer(error) => error.into(),
            AddBankAccountError::Internal(error) => error.into(),
        }
    }
}

/// Imports the accounts that the consumer linked in bank sessions, and records what they agreed to. Returns all methods.
/// Repeated calls change nothing.
pub async fn add_bank_account(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<Vec<PaymentMethod>, AddBankAccountError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let open = setup_intents::list_open_of_banks(&mut conn, consumer_id, now - MAX_SESSION_AGE, MAX_SESSIONS)
        .await?;
    drop(conn);
    let mut is_linked = open.is_empty();
    for setup in &open {
        is_linked |= complete_setup(cx, consumer_id, setup).await?.is_some();
    }
    let mut conn = cx.pool.acquire().await?;
    if !is_linked
        && !setup_intents::is_bank_completed_since(&mut conn, consumer_id, now - SAME_SESSION).await?
    {
        return Err(AddBankAccountError::NotLinked);
    }
    Ok(payment_methods::list(&mut conn, consumer_id).await?)
}
