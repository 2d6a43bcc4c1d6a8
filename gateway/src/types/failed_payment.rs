//! Payments that the consumer's bank returned (specification sections 3 and 7).

use kit::{ErrorCode, ServiceError};
use proto::payments::v1 as payments;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{PaymentType, UnknownValue};
use super::money::Money;
use super::payment::ProviderScript;
use super::try_convert_all;

/// What the consumer owes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedPaymentList {
    /// Oldest first.
    pub(crate) list: Vec<FailedPayment>,
    /// Totals and penalty fees together, in cents.
    pub(crate) total_owed: i64,
    /// The orders whose returned payment was paid since, newest first.
    pub(crate) recovered_order_ids: Vec<String>,
}

/// A payment that the bank returned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedPayment {
    /// Value for `paymentIntentIds`.
    pub(crate) payment_intent_id: String,
    /// When the bank returned the payment, RFC 3339 UTC.
    pub(crate) created: String,
    /// Name of the store, or "`JoePass`".
    pub(crate) name: String,
    /// The order that was not paid; null for a top-up or a gift card.
    #[schema(required)]
    pub(crate) order_id: Option<String>,
    /// Without the penalty fee.
    pub(crate) total: Money,
    pub(crate) insufficient_funds_penalty_fee: Money,
    pub(crate) items: Vec<FailedPaymentItem>,
}

/// An item of an order that was not paid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedPaymentItem {
    pub(crate) name: String,
    pub(crate) quantity: u32,
}

impl TryFrom<payments::ListFailedPaymentsResponse> for FailedPaymentList {
    type Error = UnknownValue;

    fn try_from(response: payments::ListFailedPaymentsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            list: try_convert_all(response.payments)?,
            total_owed: response.total_owed.map_or(0, |owed| owed.minor_units),
            recovered_order_ids: response.recovered_order_ids,
        })
    }
}

impl TryFrom<payments::FailedPayment> for FailedPayment {
    type Error = UnknownValue;

    fn try_from(payment: payments::FailedPayment) -> Result<Self, UnknownValue> {
        let items = payment.items.into_iter().map(|item| FailedPaymentItem {
            name: item.name,
            quantity: item.quantity,
        });
        Ok(Self {
            payment_intent_id: payment.debt_id,
            created: payment.created,
            name: payment.name,
            order_id: Some(payment.order_id).filter(|id| !id.is_empty()),
            total: payment.total.try_into()?,
            insufficient_funds_penalty_fee: payment.penalty_fee.try_into()?,
            items: items.collect(),
        })
    }
}

/// Pays for what the consumer owes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoverFailedPaymentsRequest {
    /// Must be the signed-in consumer if present.
    #[expect(dead_code, reason = "checked for the body of each call")]
    pub(crate) user_id: Option<String>,
    /// Ids of the list.
    pub(crate) payment_intent_ids: Vec<String>,
    /// Id of a saved card. For Apple Pay and Google Pay, the id of the payment method that the wallet created, unless
    /// `walletPaymentMethodId` has it. A wallet pays one payment.
    #[serde(default)]
    #[schema(required)]
    pub(crate) payment_method_id: String,
    pub(crate) wallet_payment_method_id: Option<String>,
    /// `card`, `apple` or `google`.
    pub(crate) payment_method_type: PaymentType,
    /// Accepted and not needed: each payment is paid once.
    #[expect(dead_code, reason = "recovery is idempotent per payment, not per key")]
    pub(crate) idempotency_key: Option<String>,
}

/// The result of paying. `success` is false if a payment was not paid; those that were paid are kept.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryResponse {
    pub(crate) success: bool,
    pub(crate) data: RecoveredPayments,
    /// Sentences for the consumer, each once.
    pub(crate) errors: Vec<String>,
    /// Reason code of the first error, as in `failed`; absent if all payments were paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

impl RecoveryResponse {
    /// Returns the error that another status reports, or the outcome: nothing was paid.
    pub(crate) fn from_error(error: ServiceError) -> Result<Self, ServiceError> {
        let is_outcome = matches!(
            error.code,
            ErrorCode::RuleViolation | ErrorCode::NotFound | ErrorCode::Conflict | ErrorCode::RateLimited
        );
        if !is_outcome {
            return Err(error);
        }
        Ok(Self {
            success: false,
            data: RecoveredPayments::default(),
            errors: vec![error.message.into_owned()],
            reason: Some(error.reason.into_owned()),
        })
    }
}

/// Which payments were paid.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveredPayments {
    /// Ids of the payments that are paid.
    pub(crate) recovered: Vec<String>,
    pub(crate) failed: Vec<UnrecoveredPayment>,
    /// What is still owed, in cents; null if the call was rejected.
    #[schema(required)]
    pub(crate) total_owed: Option<i64>,
    /// Set if the bank asks the consumer to confirm a payment: confirm it with the provider's script, then repeat the call.
    #[schema(required)]
    pub(crate) client_secret: Option<String>,
    /// Set with `clientSecret`.
    #[schema(required)]
    pub(crate) provider_script: Option<ProviderScript>,
}

/// A payment that was not paid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnrecoveredPayment {
    pub(crate) payment_intent_id: String,
    /// `CARD_DECLINED`, `INSUFFICIENT_FUNDS`, `EXPIRED_CARD`, `INCORRECT_CVC`, `AUTHENTICATION_FAILED`, `PAYMENT_METHOD_UNKNOWN`
    /// or `PROVIDER_ERROR` if the card was declined, `REQUIRES_ACTION` if the bank asks for a confirmation, `PAYMENT_PENDING` if
    /// the outcome is not known yet, `NOT_ATTEMPTED` if another payment was declined or the time was not
    /// sufficient, `WALLET_PAYS_ONE`, or `DEBT_UNKNOWN`.
    pub(crate) reason: String,
    /// A sentence for the consumer.
    pub(crate) message: String,
}

impl From<payments::RecoverFailedPaymentsResponse> for RecoveryResponse {
    fn from(response: payments::RecoverFailedPaymentsResponse) -> Self {
        let (recovered, failed): (Vec<_>, Vec<_>) =
            response.results.into_iter().partition(|result| result.recovered);
        let mut errors: Vec<String> = Vec::new();
        for result in &failed {
            if !errors.contains(&result.message) {
                errors.push(result.message.clone());
            }
        }
        let failed: Vec<_> = failed
            .into_iter()
            .map(|result| UnrecoveredPayment {
                payment_intent_id: result.debt_id,
                reason: result.reason,
                message: result.message,
            })
            .collect();
        Self {
            success: failed.is_empty(),
            reason: failed.first().map(|payment| payment.reason.clone()),
            data: RecoveredPayments {
                recovered: recovered.into_iter().map(|result| result.debt_id).collect(),
                failed,
                total_owed: Some(response.total_owed.map_or(0, |owed| owed.minor_units)),
                client_secret: Some(response.client_secret).filter(|secret| !secret.is_empty()),
                provider_script: None,
            },
            errors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(debt_id: &str, reason: &str) -> payments::RecoveryResult {
        payments::RecoveryResult {
            debt_id: debt_id.to_owned(),
            recovered: reason.is_empty(),
            reason: reason.to_owned(),
            message: match reason {
                "" => "",
                "WALLET_PAYS_ONE" => "Pay one at a time.",
                _ => "Your card was declined.",
            }
            .to_owned(),
        }
    }

    #[test]
    fn a_partial_success_names_what_was_paid_and_each_error_once() {
        let response = RecoveryResponse::from(payments::RecoverFailedPaymentsResponse {
            results: vec![
                result("dbt_1", ""),
                result("dbt_2", "CARD_DECLINED"),
                result("dbt_3", "WALLET_PAYS_ONE"),
                result("dbt_4", "CARD_DECLINED"),
            ],
            ..Default::default()
        });
        assert!(!response.success);
        assert_eq!(response.errors, ["Your card was declined.", "Pay one at a time."]);
        assert_eq!(response.reason.as_deref(), Some("CARD_DECLINED"));
        assert_eq!(response.data.recovered, ["dbt_1"]);
        assert_eq!(response.data.failed.len(), 3);
        assert_eq!(response.data.client_secret, None);
    }

    #[test]
    fn a_failed_payment_names_its_order_if_it_has_one() {
        for (order_id, expected) in [("ord_1", Some("ord_1")), ("", None)] {
            let owed = proto::values::v1::Money {
                minor_units: 500,
                currency: "usd".to_owned(),
            };
            let payment = FailedPayment::try_from(payments::FailedPayment {
                total: Some(owed.clone()),
                penalty_fee: Some(owed),
                order_id: order_id.to_owned(),
                ..Default::default()
            });
            let body = serde_json::to_value(payment.unwrap()).unwrap();
            assert_eq!(body.get("orderId"), Some(&serde_json::json!(expected)));
        }
    }

    #[test]
    fn a_success_has_no_reason() {
        let response = RecoveryResponse::from(payments::RecoverFailedPaymentsResponse {
            results: vec![result("dbt_1", "")],
            ..Default::default()
        });
        let body = serde_json::to_value(&response).unwrap();
        assert_eq!(
            (&body["success"], &body["errors"], body.get("reason")),
            (&true.into(), &serde_json::json!([]), None)
        );
    }
}
