use super::complete_setup::complete_setup;
use super::customer::CustomerError;
use crate::Payments;
use crate::db::setup_intents;

/// Imports the bank account of a setup intent that the provider reports as succeeded: the bank may have confirmed the account days
/// after the consumer left the app. Idempotent. Returns whether an account was imported: not for a card, which the app imports, and
/// not for a removed consumer.
pub async fn complete_bank_setup(cx: &Payments, setup_intent_id: &str) -> Result<bool, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let open = setup_intents::find_open_of_bank(&mut conn, setup_intent_id).await?;
    drop(conn);
    let Some((consumer_id, setup)) = open else {
        return Ok(false);
    };
    match complete_setup(cx, consumer_id, &setup).await {
        Ok(method_id) => Ok(method_id.is_some()),
        Err(CustomerError::Removed) => Ok(false),
        Err(CustomerError::Internal(error)) => Err(error),
    }
}
