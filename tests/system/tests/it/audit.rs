//! The audit of the chaos test reports each inconsistency. Each case changes rows in transactions that are rolled back.

use std::collections::BTreeSet;

use serde_json::Value;
use sqlx::AssertSqlSafe;
use types::OrderId;

use crate::harness::{Consumer, Databases, Stack, Store, Tender, audit, shared_stack};

/// One consumer's orders, one in each state that the audit treats differently.
struct Orders {
    by_card: String,
    captured: String,
    by_joepass: String,
    with_promo: String,
    completed: String,
}

#[derive(Clone, Copy)]
enum Subject {
    ByCard,
    Captured,
    ByJoePass,
    WithPromo,
    Completed,
}
use Subject::{ByCard, ByJoePass, Captured, Completed, WithPromo};

impl Orders {
    async fn place(ada: &Consumer, store: &Store) -> Self {
        let (card, joepass) = (
            ada.with_card("4242424242424242").await,
            ada.with_joepass(20_000).await,
        );
        let with_promo = with_promo(ada, store, &joepass).await;
        // A second order with the same code, which may be used repeatedly.
        self::with_promo(ada, store, &joepass).await;
        let orders = Self {
            by_card: ada.place_order("Latte", store, &card).await,
            captured: ada.place_order("Latte", store, &card).await,
            by_joepass: ada.place_order("Latte", store, &joepass).await,
            with_promo,
            completed: ada.place_order("Latte", store, &joepass).await,
        };
        store.accept(&orders.captured).await.data();
        store.make(&orders.completed).await;
        crate::harness::eventually("points were added", async || {
            if ada.points().await > 0 {
                Ok(())
            } else {
                Err("none yet")
            }
        })
        .await;
        ada.assert_consistent().await;
        orders
    }

    fn id(&self, subject: Subject) -> &str {
        match subject {
            ByCard => &self.by_card,
            Captured => &self.captured,
            ByJoePass => &self.by_joepass,
            WithPromo => &self.with_promo,
            Completed => &self.completed,
        }
    }
}

async fn with_promo(ada: &Consumer, store: &Store, joepass: &Tender) -> String {
    let draft = ada.draft_order("Latte", store, joepass).times(2).promo("FRESH10");
    let reply = draft.priced().await.place().await;
    assert_eq!(reply.order_status(), "Placed", "{}", reply.body);
    reply.order()
}

/// Service, statement with `{order}` for the order's id, order, and the rule that is violated.
#[rustfmt::skip]
const CORRUPTIONS: [(&str, &str, Subject, &str); 28] = [
    ("ordering", "DELETE FROM orders WHERE id = {order}", ByCard, "a charge has an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", ByCard, "a payment intent has an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", ByJoePass, "a hold has an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", ByJoePass, "a movement of stored value has an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", WithPromo, "a claim has an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", ByCard, "a reservation has an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", Completed, "points have an order"),
    ("ordering", "DELETE FROM orders WHERE id = {order}", Completed, "a movement of points has an order"),
    ("ordering", "DELETE FROM order_history WHERE order_id = {order} AND version = 1", Captured,
        "an order's history has each version once"),
    ("ordering", "UPDATE orders SET status = 'payment_pending' WHERE id = {order}", ByCard, "an order is placed or ended"),
    ("ordering", "UPDATE orders SET status = 'cancelled' WHERE id = {order}", ByCard,
        "the provider holds or captured the card's part of an order once"),
    ("payments", "DELETE FROM charges WHERE subject_id = {order}", Captured, "money at the provider has a charge"),
    ("payments", "UPDATE charges SET state = 'voided' WHERE subject_id = {order}", ByCard,
        "an order's charge has the state that the order requires"),
    ("payments", "UPDATE charges SET amount_minor_units = 1 WHERE subject_id = {order}", ByCard,
        "an order's charge has the amount of its part"),
    ("gift-cards", "UPDATE holds SET state = 'released' WHERE order_id = {order}", ByJoePass,
        "an order's hold has the state that the order requires"),
    ("gift-cards", "UPDATE holds SET amount = amount + 1 WHERE order_id = {order}", ByJoePass,
        "an order's hold has the amount of its part"),
    ("gift-cards", "DELETE FROM ledger.postings WHERE subject = {order} AND kind = 'order_captured'", Completed,
        "the ledger has each movement of a hold once"),
    ("rewards", "UPDATE claims SET state = 'released' WHERE order_id = {order}", WithPromo,
        "an order has a claim while it uses a promo code"),
    ("rewards", "UPDATE claims SET amount = amount - 1 WHERE order_id = {order}", WithPromo,
        "a claim has the order's code and discount"),
    ("rewards", "UPDATE order_points SET points = points + 10 WHERE order_id = {order}", Completed,
        "a completed order earned its points once"),
    ("stores", "UPDATE reservations SET released_at = now() WHERE order_id = {order}", ByCard,
        "an order has capacity until it ends"),
    ("gift-cards", "UPDATE holds SET state = 'captured' WHERE order_id = {order}", ByJoePass,
        "value in flight is the sum of live holds"),
    ("gift-cards", "UPDATE ledger.balances SET balance = balance - 1000000 FROM holds
        WHERE order_id = {order} AND balance_id = account_id", ByJoePass, "a balance is the sum of its postings"),
    ("gift-cards", "UPDATE ledger.balances SET balance = balance - 1000000 FROM holds
        WHERE order_id = {order} AND balance_id = account_id", ByJoePass, "no balance is negative"),
    ("stores", "UPDATE capacity_slots SET used_seconds = used_seconds - 1 FROM reservations
        WHERE order_id = {order} AND capacity_slots.store_id = reservations.store_id AND slot = slots[1]", ByCard,
        "used capacity is the sum of active reservations"),
    ("rewards", "UPDATE promos SET max_claims = 1000000, claim_count = 999999 FROM claims
        WHERE order_id = {order} AND promos.code = claims.code", WithPromo, "a limited code counts its claims"),
    ("rewards", "UPDATE promos SET once = true FROM claims WHERE order_id = {order} AND promos.code = claims.code",
        WithPromo, "a consumer uses a one-time code once"),
    ("payments", "INSERT INTO effects (subject_id, kind, due_at, created_at)
        SELECT id, 'refund', now(), now() FROM charges WHERE subject_id = {order}", Captured, "all effects are executed"),
];

#[tokio::test]
async fn each_corruption_is_reported() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let orders = Orders::place(&ada, &store).await;
    let provider = stack.sandbox().state().await;
    for (service, statement, subject, rule) in CORRUPTIONS {
        let order: OrderId = orders.id(subject).parse().unwrap();
        let statement = statement.replace("{order}", &format!("'{}'", order.uuid()));
        let violated = newly_violated(stack, service, &statement, orders.id(subject), &provider).await;
        assert!(
            violated.contains(rule),
            "{rule}: not reported after {statement}: {violated:?}"
        );
    }
}

#[tokio::test]
async fn unpublished_events_and_changes_at_the_provider_are_reported() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let order = ada.place_order("Latte", &store, &card).await;
    ada.assert_consistent().await;
    let provider = stack.sandbox().state().await;
    let reported = async |provider: &Value| {
        let mut databases = Databases::open(stack).await;
        let findings = audit(&mut databases, provider).await;
        findings.into_iter().any(|finding| {
            finding.subject == order
                && finding.rule == "the provider holds or captured the card's part of an order once"
        })
    };
    assert!(!reported(&provider).await);

    let of_order = |intent: &&mut Value| intent["metadata"]["order_id"] == order.as_str();
    let mut released = provider.clone();
    let intents = released["payment_intent"].as_array_mut().unwrap();
    intents.iter_mut().find(of_order).unwrap()["status"] = "canceled".into();
    assert!(reported(&released).await, "a hold that the provider released");

    let mut doubled = provider.clone();
    let intents = doubled["payment_intent"].as_array_mut().unwrap();
    let copy = intents.iter_mut().find(of_order).unwrap().clone();
    intents.push(copy);
    assert!(reported(&doubled).await, "two holds for one order");

    let event = "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, occurred_at, leased_until)
                 VALUES (gen_random_uuid(), 'test', 'test', 1, '', now(), now() + interval '1 hour')";
    let violated = newly_violated(stack, "stores", event, &order, &provider).await;
    assert!(violated.contains("all events are published"), "{violated:?}");
}

/// Returns the rules that a statement newly violates for the order, or for the sums of the changed database. Other tests use the
/// stack at the same time, so the changed database is one snapshot, and findings about other orders do not count.
async fn newly_violated(
    stack: &'static Stack,
    service: &str,
    statement: &str,
    order: &str,
    provider: &Value,
) -> BTreeSet<&'static str> {
    let mut databases = Databases::open(stack).await;
    // The second setting skips triggers and foreign keys.
    for setting in [
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "SET LOCAL session_replication_role = replica",
    ] {
        sqlx::query(setting)
            .execute(databases.get(service))
            .await
            .unwrap();
    }
    let before = audit(&mut databases, provider).await;
    let changed = sqlx::query(AssertSqlSafe(statement))
        .execute(databases.get(service))
        .await
        .unwrap();
    assert!(changed.rows_affected() > 0, "no row changed: {statement}");
    let after = audit(&mut databases, provider).await;
    sqlx::query("ROLLBACK")
        .execute(databases.get(service))
        .await
        .unwrap();
    after
        .iter()
        .filter(|finding| !before.contains(finding))
        .filter(|finding| finding.subject == order || !finding.subject.starts_with("ord_"))
        .map(|finding| finding.rule)
        .collect()
}

#[tokio::test]
async fn purchases_and_debts_that_differ_from_the_provider_are_reported() {
    let stack = shared_stack().await;
    let ada = stack.consumer().await;
    let card = ada.with_card("4242424242424242").await;
    let key = uuid::Uuid::new_v4();
    let request = serde_json::json!({ "amount": 1_000, "payment": card.0, "idempotencyKey": key });
    let added = ada.post("payment/upload", request).await;
    let name = added.data()["purchaseId"].as_str().unwrap().to_owned();
    let id = name.parse::<types::PurchaseId>().unwrap().uuid();
    let provider = stack.sandbox().state().await;
    let rule = "a purchase is paid once and issued once, or neither";
    for (statement, rule) in [
        (
            format!("UPDATE purchases SET state = 'failed' WHERE id = '{id}'"),
            rule,
        ),
        (
            format!("DELETE FROM ledger.postings WHERE subject = '{id}'"),
            rule,
        ),
        (
            format!("UPDATE purchases SET state = 'pending', lease_until = now() WHERE id = '{id}'"),
            "a purchase ends",
        ),
    ] {
        let violated = newly_violated(stack, "gift-cards", &statement, &name, &provider).await;
        assert!(violated.contains(rule), "{statement}: {violated:?}");
    }
    let debt = "WITH debt AS (
                    INSERT INTO debts (id, charge_id, amount_minor_units, penalty_fee_minor_units, currency, created_at, recovered_at)
                    VALUES (gen_random_uuid(), gen_random_uuid(), 1, 0, 'usd', now(), now()) RETURNING id)
                INSERT INTO debt_recoveries (id, debt_id, state, created_at, ended_at)
                SELECT gen_random_uuid(), id, 'succeeded', now(), now() FROM debt";
    let violated = newly_violated(stack, "payments", debt, &name, &provider).await;
    assert!(violated.contains("a debt is paid once"), "{violated:?}");
}
