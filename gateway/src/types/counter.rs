//! Payments at the counter with a PIN.

use proto::giftcards::v1 as giftcards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::money::{Money, cents};

/// The store where the consumer pays.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct CounterPinQuery {
    pub(crate) store_id: String,
}

/// A PIN with which the consumer pays with JoePass at the counter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CounterPin {
    /// Four digits. Replaces the previous PIN.
    pub(crate) pin: String,
    #[schema(format = DateTime)]
    pub(crate) expires_at: String,
    pub(crate) store_name: String,
    /// What JoePass can pay.
    pub(crate) available: Money,
}

impl TryFrom<giftcards::CounterPin> for CounterPin {
    type Error = UnknownValue;

    fn try_from(pin: giftcards::CounterPin) -> Result<Self, UnknownValue> {
        Ok(Self {
            pin: pin.pin,
            expires_at: pin.expires_at,
            store_name: pin.store_name,
            available: pin.available.try_into()?,
        })
    }
}

/// Takes a payment at the counter.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RedeemCounterPinRequest {
    /// The PIN that the consumer shows.
    pub(crate) pin: String,
    /// Cents.
    pub(crate) amount: i64,
    /// Create a new key for each payment. Repeat the request with the same key after a timeout or a 5xx.
    pub(crate) idempotency_key: String,
}

impl RedeemCounterPinRequest {
    pub(crate) fn into_message(self, store_id: String) -> giftcards::RedeemCounterPinRequest {
        giftcards::RedeemCounterPinRequest {
            store_id,
            pin: self.pin,
            amount: Some(cents(self.amount)),
            idempotency_key: self.idempotency_key,
        }
    }
}

/// A payment at the counter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CounterPayment {
    pub(crate) counter_payment_id: String,
    pub(crate) amount: Money,
    #[schema(format = DateTime)]
    pub(crate) paid_at: String,
}

impl TryFrom<giftcards::CounterPayment> for CounterPayment {
    type Error = UnknownValue;

    fn try_from(payment: giftcards::CounterPayment) -> Result<Self, UnknownValue> {
        Ok(Self {
            counter_payment_id: payment.counter_payment_id,
            amount: payment.amount.try_into()?,
            paid_at: payment.paid_at,
        })
    }
}
