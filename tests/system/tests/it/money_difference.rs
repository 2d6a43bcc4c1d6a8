//! A difference of money between two services turns the metric of the audit and raises an alert. Both end after the repair.

use serde_json::json;
use uuid::Uuid;

use crate::harness::{ExclusiveStack, Prometheus, check_and_repair, eventually, exclusive_stack};

/// The audit compares at once what has changed. A program audits at its start, if that is due.
pub const AUDIT: [(&str, &str); 2] = [("AUDIT_EVERY_SECONDS", "1"), ("AUDIT_SETTLE_SECONDS", "0")];
/// The services that audit, with their metrics, in the order in which they are started: ordering audits with gift-cards, and an audit
/// that fails is repeated minutes later.
const AUDITS: [(&str, &str); 2] = [
    ("gift-cards", "gift_cards_money_audit_differences"),
    ("ordering", "ordering_money_audit_differences"),
];

/// The alert that this test fires.
pub const FIRED: [&str; 1] = ["MoneyInconsistent"];

/// Adds cents to the charges of an order and a purchase, in the database of payments only.
async fn add_to_charges(stack: &ExclusiveStack, subjects: [Uuid; 2], cents: i64) {
    let changed = sqlx::query(
        "UPDATE charges SET amount_minor_units = amount_minor_units + $2 WHERE subject_id = ANY($1)",
    )
    .bind(&subjects[..])
    .bind(cents)
    .execute(&mut stack.database("payments").await)
    .await
    .unwrap();
    assert_eq!(changed.rows_affected(), 2);
}

/// Restarts the services that audit, with an audit that is due.
pub async fn audit(stack: &ExclusiveStack, prometheus: &Prometheus) {
    for (service, _) in AUDITS {
        // A process that is killed during an audit keeps its lease for minutes.
        stack.program(service).kill();
        sqlx::query("UPDATE audits SET due_at = now() WHERE name = 'money_audit'")
            .execute(&mut stack.database(service).await)
            .await
            .unwrap();
    }
    for (service, _) in AUDITS {
        prometheus.restart_with(stack, service, &AUDIT).await;
    }
}

/// Waits until the metric of each audit has this value, and its alert is firing or not.
async fn wait_for_differences(prometheus: &Prometheus, expected: f64) {
    for (service, metric) in AUDITS {
        let metric = format!("{metric}{{kind=\"charge_amount\"}}");
        let alert = format!(
            "ALERTS{{alertname=\"{}\", service=\"{service}\", kind=\"charge_amount\", alertstate=\"firing\"}}",
            FIRED[0]
        );
        eventually(&format!("{metric} is {expected}"), async || {
            let value = prometheus.value(&metric).await?;
            let firing = prometheus.value(&alert).await?;
            let is_raised = expected > 0.0;
            if value == Some(expected) && firing.is_some() == is_raised {
                Ok(())
            } else {
                Err(format!("value {value:?}, alert {firing:?}"))
            }
        })
        .await;
    }
}

#[tokio::test]
async fn a_difference_of_money_raises_an_alert_until_it_is_repaired() {
    let stack = exclusive_stack().await;
    let prometheus = Prometheus::start(&stack).await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let order = ada.place_order("Latte", &store, &card).await;
    let request = json!({ "amount": 1_000, "payment": card.0, "idempotencyKey": Uuid::new_v4() });
    let added = ada.post("payment/upload", request).await;
    let purchase = added.data()["purchaseId"].as_str().unwrap().to_owned();
    ada.assert_consistent().await;
    let subjects = [
        order.parse::<types::OrderId>().unwrap().uuid(),
        purchase.parse::<types::PurchaseId>().unwrap().uuid(),
    ];
    audit(&stack, &prometheus).await;
    wait_for_differences(&prometheus, 0.0).await;

    add_to_charges(&stack, subjects, 1).await;
    let found = async {
        audit(&stack, &prometheus).await;
        wait_for_differences(&prometheus, 1.0).await;
    };
    check_and_repair(Box::pin(found), add_to_charges(&stack, subjects, -1)).await;
    audit(&stack, &prometheus).await;
    wait_for_differences(&prometheus, 0.0).await;
    ada.assert_consistent().await;
}
