//! Conditions that need a person fire their alerts in a real Prometheus, with durations of seconds.

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use crate::{
    harness::{
        ALERTS, Consumer, ExclusiveStack, Prometheus, Stack, Tender, check_and_repair, eventually,
        exclusive_stack,
    },
    metrics::{self, UNWRITABLE},
    money_difference::{self, AUDIT},
};

const OF_DIFFERENCES: [&str; 3] = [
    "LedgerInconsistent",
    "PurchasesInconsistent",
    "ChargesInconsistent",
];
const OF_BLOCKED_AUDITS: [&str; 4] = [
    "LedgerNotAudited",
    "PurchasesNotAudited",
    "ChargesNotAudited",
    "MoneyNotAudited",
];
const OF_MESSAGES: [&str; 2] = ["NotificationsFail", "GiftCardsNotDelivered"];
const OF_CAPTURES: [&str; 1] = ["CaptureFailed"];
const OF_ORDERS: [&str; 1] = ["OrdersUnknown"];
const OF_POOLS: [&str; 1] = ["PoolExhausted"];

/// Requests at the same time, more than the 10 connections of a pool.
const REQUESTS: usize = 40;

#[test]
fn each_alert_is_fired_by_a_test() {
    let mut fired = [
        &OF_DIFFERENCES[..],
        &OF_BLOCKED_AUDITS,
        &OF_MESSAGES,
        &OF_CAPTURES,
        &OF_ORDERS,
        &OF_POOLS,
        &metrics::OF_STUCK_WORK,
        &metrics::OF_SIGN_IN,
        &metrics::OF_DEAD_PROCESS,
        &money_difference::FIRED,
    ]
    .concat();
    let mut existing: Vec<_> = ALERTS
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "))
        .collect();
    fired.sort_unstable();
    existing.sort_unstable();
    assert_eq!(fired, existing);
}

/// Restarts the programs that audit, with an audit of the ledgers, purchases and charges every second, and of money every 30 seconds.
async fn audit_often(stack: &ExclusiveStack, prometheus: &Prometheus) {
    for service in ["payments", "rewards"] {
        prometheus.restart_with(stack, service, &AUDIT).await;
    }
    money_difference::audit(stack, prometheus).await;
}

/// Waits until each audit ended within the durations of the alerts.
async fn wait_for_audits(prometheus: &Prometheus) {
    for runs in [
        "ledger_audit_runs_total{service=\"rewards\", result=\"consistent\"}",
        "ledger_audit_runs_total{service=\"gift-cards\", result=\"consistent\"}",
        "gift_cards_purchase_audit_runs_total{result=\"consistent\"}",
        "payments_audit_runs_total{result=\"consistent\"}",
        "ordering_money_audit_runs_total{result=~\"consistent|inconsistent\"}",
        "gift_cards_money_audit_runs_total{result=~\"consistent|inconsistent\"}",
    ] {
        let ended = format!("sum(increase({runs}[36s])) > 0");
        eventually(&ended, async || {
            let count = prometheus.value(&ended).await?;
            count.map(drop).ok_or_else(|| "no run".to_owned())
        })
        .await;
    }
}

async fn execute(stack: &Stack, service: &str, statement: String) {
    let changed = sqlx::query(AssertSqlSafe(statement))
        .execute(&mut stack.database(service).await)
        .await
        .unwrap();
    assert_eq!(changed.rows_affected(), 1);
}

/// Changes the balance of a consumer, a purchase and its charge, as a faulty program would.
async fn change_amounts(ada: &Consumer, purchase: Uuid, cents: i64) {
    let balance = format!(
        "UPDATE ledger.balances SET balance = balance + {cents}
         FROM ledger.accounts WHERE id = account_id AND owner = '{}'",
        ada.id.uuid()
    );
    execute(ada.stack, "gift-cards", balance).await;
    let amount = format!("UPDATE purchases SET amount = amount - {cents} WHERE id = '{purchase}'");
    execute(ada.stack, "gift-cards", amount).await;
    let charge = format!(
        "UPDATE charges SET amount_minor_units = amount_minor_units + {cents} WHERE subject_id = '{purchase}'"
    );
    execute(ada.stack, "payments", charge).await;
}

#[tokio::test]
async fn differences_and_blocked_audits_fire_alerts() {
    let stack = exclusive_stack().await;
    let prometheus = Prometheus::start(&stack).await;
    prometheus.shorten_durations().await;
    let ada = stack.consumer().await;
    let card = ada.with_card("4242424242424242").await;
    let request = json!({ "amount": 1_000, "payment": card.0, "idempotencyKey": Uuid::new_v4() });
    let added = ada.post("payment/upload", request).await;
    let purchase: types::PurchaseId = added.data()["purchaseId"].as_str().unwrap().parse().unwrap();
    ada.assert_consistent().await;
    audit_often(&stack, &prometheus).await;

    change_amounts(&ada, purchase.uuid(), 1).await;
    check_and_repair(
        prometheus.wait_until_firing(&OF_DIFFERENCES),
        change_amounts(&ada, purchase.uuid(), -1),
    )
    .await;
    prometheus.wait_until_inactive(&OF_DIFFERENCES).await;

    wait_for_audits(&prometheus).await;
    prometheus.wait_until_inactive(&OF_BLOCKED_AUDITS).await;
    // Audits cannot read their progress.
    let mut connections = Vec::new();
    for (service, tables) in [
        (
            "gift-cards",
            "ledger.audit_progress, purchase_audit_progress, audits",
        ),
        ("rewards", "ledger.audit_progress"),
        ("payments", "audit_progress"),
        ("ordering", "audits"),
    ] {
        let mut connection = stack.database(service).await;
        lock(&mut connection, tables).await;
        connections.push(connection);
    }
    prometheus.wait_until_firing(&OF_BLOCKED_AUDITS).await;
    for connection in connections {
        connection.close().await.unwrap();
    }
    // An audit of money that was interrupted is repeated when its lease has expired.
    prometheus
        .wait_until_inactive(&["LedgerNotAudited", "PurchasesNotAudited", "ChargesNotAudited"])
        .await;
    ada.assert_consistent().await;
}

/// Locks tables until the connection is closed.
async fn lock(connection: &mut PgConnection, tables: &str) {
    let statement = format!("BEGIN; LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE");
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(connection)
        .await
        .unwrap();
}

/// A new consumer requests a link that verifies their email address, and another one buys them a gift card.
async fn request_messages(ada: &Consumer, card: &Tender) {
    let bob = ada.stack.consumer().await;
    let email = format!("bob.{}@example.com", Uuid::new_v4().simple());
    let name = json!({ "firstName": "Bob", "lastName": "Test", "email": email });
    bob.post("user/name", name).await.data();
    let gift = json!({
        "amount": 1_000, "recipient": { "kind": "email", "value": email, "name": "Bob" }, "design": "birthday",
        "payment": card.0, "idempotencyKey": Uuid::new_v4(),
    });
    ada.post("gift-card", gift).await.data();
}

async fn alter_charges(stack: &Stack, change: &str) {
    sqlx::raw_sql(AssertSqlSafe(format!("ALTER TABLE charges {change}")))
        .execute(&mut stack.database("payments").await)
        .await
        .unwrap();
}

#[tokio::test]
async fn failing_messages_captures_orders_and_pools_fire_alerts() {
    let stack = exclusive_stack().await;
    let prometheus = Prometheus::start(&stack).await;
    prometheus.shorten_durations().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada.draft_order("Latte", &store, &card).priced().await;
    for (service, file) in [("accounts", "EMAIL_FILE"), ("gift-cards", "GIFT_MESSAGE_FILE")] {
        prometheus
            .restart_with(&stack, service, &[(file, UNWRITABLE)])
            .await;
    }
    prometheus
        .repeat_until_firing(&OF_MESSAGES, async || request_messages(&ada, &card).await)
        .await;

    prometheus
        .repeat_until_firing(&OF_CAPTURES, async || {
            let order = checkout.with_new_cart().place_until_final().await.order();
            let rejection = json!({
                "path": "/v1/payment_intents/*/capture", "kind": "error", "status": 402, "code": "card_declined",
            });
            stack.sandbox().fault(rejection).await;
            assert_eq!(store.accept(&order).await.order_status(), "Accepted");
            ada.wait_for_status(&order, "Cancelled").await;
        })
        .await;
    prometheus.wait_until_inactive(&OF_CAPTURES).await;

    alter_charges(&stack, "ADD CONSTRAINT reject_all CHECK (false) NOT VALID").await;
    let rejections = prometheus.repeat_until_firing(&OF_ORDERS, async || {
        let rejected = checkout.with_new_cart().place().await;
        assert!(rejected.status.is_server_error(), "{rejected:?}");
    });
    check_and_repair(rejections, alter_charges(&stack, "DROP CONSTRAINT reject_all")).await;
    prometheus.wait_until_inactive(&OF_ORDERS).await;

    let mut connection = stack.database("gift-cards").await;
    lock(&mut connection, "ledger.accounts").await;
    prometheus
        .repeat_until_firing(&OF_POOLS, async || {
            let requests = (0..REQUESTS).map(|_| ada.get("user/wallet"));
            futures::future::join_all(requests).await;
        })
        .await;
    connection.close().await.unwrap();
    prometheus.wait_until_inactive(&OF_POOLS).await;
}
