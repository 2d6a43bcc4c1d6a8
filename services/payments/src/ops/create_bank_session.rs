use types::{ConsumerId, Money};

use super::get_publishable_key::get_publishable_key;
use super::start_setup::{StartSetupError, start_setup};
use crate::Payments;
use crate::domain::payment_method::MethodKind;
use crate::domain::setup::{BankConsent, BankSession};

/// Creates a setup intent for a US bank account, and records the texts that the consumer agrees to by confirming it.
pub async fn create_bank_session(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<BankSession, StartSetupError> {
    let consent = BankConsent::new(Money::usd(cx.penalty_fee_cents));
    Ok(BankSession {
        client_secret: start_setup(cx, consumer_id, MethodKind::Bank, Some(&consent)).await?,
        publishable_key: get_publishable_key(cx),
        consent,
    })
}
