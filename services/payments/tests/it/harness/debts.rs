//! Debts of consumers: returned bank debits that a card pays.

use proto::payments::v1::{ChargeState, RecoverFailedPaymentsResponse};
use serde_json::json;

use super::{AMOUNT, Card, Consumer, Harness, completed, new_order_id};

/// Amount of a debt of [`owe`], with the penalty fee, in cents.
pub const OWED: i64 = AMOUNT + 500;

/// Gives a consumer debts of [`OWED`] cents each. Returns their ids.
pub async fn owe(harness: &Harness, ada: &Consumer<'_>, count: usize) -> Vec<String> {
    let account = ada.add_method(Card::Bank).await;
    let orders: Vec<_> = (0..count).map(|_| new_order_id()).collect();
    for order_id in &orders {
        harness.authorize(*order_id, ada, &account).await.unwrap();
        harness.consume_order_event(*order_id, completed()).await;
    }
    for intent in harness.sandbox.intents().await {
        let path = format!("payment_intents/{}/return", intent["id"].as_str().unwrap());
        harness.sandbox.admin(&path, json!({})).await;
    }
    for order_id in orders {
        harness
            .receive_webhooks_until(order_id, ChargeState::Returned)
            .await;
    }
    let list = ada.failed_payments().await;
    assert_eq!(list.payments.len(), count);
    list.payments.into_iter().map(|payment| payment.debt_id).collect()
}

/// Returns the reason of each result; empty if the debt was recovered.
pub fn reasons(response: &RecoverFailedPaymentsResponse) -> Vec<&str> {
    response
        .results
        .iter()
        .inspect(|result| assert_eq!(result.recovered, result.reason.is_empty()))
        .map(|result| result.reason.as_str())
        .collect()
}

/// Makes all charges and attempts older, so that reconciliation processes them.
pub async fn set_age(harness: &Harness, minutes: i32) {
    for update in [
        "UPDATE charges SET updated_at = now() - make_interval(mins => $1), created_at = now() - make_interval(mins => $1),
                reconciled_at = NULL",
        "UPDATE debt_recoveries SET created_at = now() - make_interval(mins => $1)",
    ] {
        sqlx::query(update)
            .bind(minutes)
            .execute(&harness.cx.pool)
            .await
            .unwrap();
    }
}
