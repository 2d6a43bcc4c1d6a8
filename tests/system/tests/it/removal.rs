//! Deletion of accounts: no database contains data of the person afterwards.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::harness::{Consumer, Stack, Store, eventually, exclusive_stack, shared_stack};

const SERVICES: [&str; 6] = [
    "accounts",
    "stores",
    "ordering",
    "payments",
    "gift-cards",
    "rewards",
];

/// Texts that identify a person.
struct Person {
    first_name: String,
    last_name: String,
    email: String,
    /// Without the plus sign.
    phone: String,
    vehicle: String,
}

impl Person {
    fn texts(&self) -> [&str; 5] {
        [
            &self.first_name,
            &self.last_name,
            &self.email,
            &self.phone,
            &self.vehicle,
        ]
    }
}

/// Gives a consumer a name, an email address and a vehicle that no other test uses.
async fn introduce(ada: &Consumer) -> Person {
    let unique = Uuid::new_v4().simple().to_string();
    let mut person = Person {
        first_name: format!("Adelheid{unique}"),
        last_name: format!("Lovelace{unique}"),
        email: format!("ada.{unique}@example.com"),
        phone: String::new(),
        vehicle: format!("Phaeton {unique}"),
    };
    let name = json!({ "firstName": person.first_name, "lastName": person.last_name, "email": person.email });
    let profile = ada.post("user/name", name).await;
    profile.data()["phone"]
        .as_str()
        .unwrap()
        .trim_start_matches('+')
        .clone_into(&mut person.phone);
    ada.post("user/save-settings", json!({ "vehicle": person.vehicle }))
        .await
        .data();
    person
}

/// Leaves data of the person in every service. Returns the id of an order that is placed.
async fn use_every_service(ada: &Consumer, store: &Store, person: &Person) -> String {
    let card = ada.with_card("4242424242424242").await;
    let text = format!("For {}, {}", person.first_name, person.email);
    let checkout = ada.draft_order("Latte", store, &card).priced().await;
    let mut checkout = checkout
        .with("cart/items/0/note", json!(text))
        .with("pickupName", json!(person.first_name));
    checkout.body["vehicle"] = json!(person.vehicle);
    ada.post("user/save-cart", json!({ "cart": checkout.body["cart"] }))
        .await
        .data();
    let line = &checkout.body["cart"]["items"][0];
    let usual = json!({ "storeId": store.id.to_string(), "itemId": line["itemId"], "sizeId": line["sizeId"],
        "choices": [], "note": text, "name": person.first_name });
    ada.post("item/add-usual-item", usual).await.data();
    ada.post("store/favorite", json!({ "storeId": store.id.to_string() }))
        .await
        .data();
    ada.post("analytics/user-feedback", json!({ "message": text }))
        .await
        .data();
    let gift = json!({ "amount": 1000, "recipient": { "kind": "self", "name": person.first_name }, "design": "classic",
        "message": text, "payment": card.0, "idempotencyKey": Uuid::new_v4() });
    ada.post("gift-card", gift).await.data();
    checkout.place().await.order()
}

/// Returns each table of each database that contains one of the texts, also in binary columns.
async fn tables_with(stack: &Stack, texts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for service in SERVICES {
        let mut database = stack.database(service).await;
        for table in tables(&mut database).await {
            let query = format!(
                "SELECT text FROM unnest($1::text[]) AS text WHERE EXISTS (
                     SELECT FROM {table} AS row
                     WHERE position(text IN row::text) > 0
                        OR position(encode(convert_to(text, 'UTF8'), 'hex') IN row::text) > 0)"
            );
            let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(query))
                .bind(texts)
                .fetch_all(&mut database)
                .await
                .unwrap();
            found.extend(rows.into_iter().map(|text| format!("{service}: {table}: {text}")));
        }
    }
    found
}

async fn tables(database: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(
        "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
         WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')",
    )
    .fetch_all(database)
    .await
    .unwrap()
}

async fn remove(ada: &Consumer) -> crate::harness::Reply {
    ada.send(Method::POST, "/api/consumer/user/remove", None).await
}

#[tokio::test]
async fn no_database_contains_data_of_a_removed_consumer() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let person = introduce(&ada).await;
    let order = use_every_service(&ada, &store, &person).await;

    assert_eq!(remove(&ada).await.error_reason(409), "ORDER_ACTIVE");
    store.make(&order).await;
    let feedback = json!({ "orderId": order, "rating": 5, "feedbackOrderReady": 1, "feedbackOrderCorrect": 1,
        "message": format!("{} says thanks", person.first_name) });
    ada.post("analytics/order-feedback", feedback).await.data();
    // The search finds the data while the account exists.
    let before = tables_with(stack, &person.texts()).await;
    for service in ["accounts", "stores", "ordering", "gift-cards"] {
        assert!(
            before.iter().any(|found| found.starts_with(service)),
            "{service}: {before:#?}"
        );
    }
    for text in person.texts() {
        assert!(
            before.iter().any(|found| found.ends_with(text)),
            "{text}: {before:#?}"
        );
    }

    remove(&ada).await.data();
    assert_eq!(ada.get("user/profile").await.error_reason(401), "UNAUTHENTICATED");
    assert_eq!(remove(&ada).await.error_reason(401), "UNAUTHENTICATED");
    eventually("no database contains data of the person", async || {
        let found = tables_with(stack, &person.texts()).await;
        if found.is_empty() {
            Ok(())
        } else {
            Err(format!("{found:#?}"))
        }
    })
    .await;
}

#[tokio::test]
async fn a_removed_consumer_is_signed_out_everywhere_and_others_stay() {
    let stack = shared_stack().await;
    let (ada, eve) = (stack.consumer().await, stack.consumer().await);
    let code = ada
        .send(
            Method::POST,
            "/api/consumer/authentication/create-hand-over-code",
            None,
        )
        .await;
    let code: Value = json!({ "code": code.data()["code"] });
    remove(&ada).await.data();
    for path in [
        "user/profile",
        "user/settings",
        "user/sessions",
        "user/journey-step",
    ] {
        assert_eq!(ada.get(path).await.error_reason(401), "UNAUTHENTICATED", "{path}");
        eve.get(path).await.data();
    }
    let exchange = eve.post("authentication/exchange-hand-over-code", code).await;
    assert_eq!(exchange.error_reason(422), "HAND_OVER_CODE_INVALID");
}

/// Waits until gift-cards has consumed the events about new payment methods, so that its next event is the removal.
async fn wait_for_method_events(stack: &Stack) {
    eventually("gift-cards consumes the events about methods", async || {
        let published: Vec<Uuid> = sqlx::query_scalar(
            "SELECT event_id FROM outbox WHERE kind = 'payments.MethodChanged'
             UNION SELECT event_id FROM published_events WHERE kind = 'payments.MethodChanged'",
        )
        .fetch_all(&mut stack.database("payments").await)
        .await
        .unwrap();
        let consumed: i64 =
            sqlx::query_scalar("SELECT count(*) FROM consumed_events WHERE event_id = ANY($1)")
                .bind(&published)
                .fetch_one(&mut stack.database("gift-cards").await)
                .await
                .unwrap();
        if consumed == i64::try_from(published.len()).unwrap() {
            Ok(())
        } else {
            Err(format!("{consumed} of {}", published.len()))
        }
    })
    .await;
}

/// A consumer deletes the account while a top-up waits for the authentication of the card, and `service` is killed at `fault_point`.
async fn remove_buyer_despite_crash_of(service: &str, fault_point: &str) {
    const REQUIRES_AUTHENTICATION: &str = "4000002760003184";
    let stack = exclusive_stack().await;
    stack.stack.set_fault_point(service, fault_point).await;
    let ada = stack.stack.consumer().await;
    let card = ada.with_card(REQUIRES_AUTHENTICATION).await;
    wait_for_method_events(stack.stack).await;
    let body = json!({ "amount": 2_500, "payment": card.0, "idempotencyKey": Uuid::new_v4() });
    let purchase = ada.post("payment/upload", body).await;
    assert_eq!(purchase.data()["state"], "RequiresAction", "{}", purchase.body);
    let intents = stack.stack.sandbox().intent_ids_of(ada.id).await;
    let [intent] = intents.as_slice() else {
        panic!("{intents:?}")
    };

    stack.stack.arm();
    remove(&ada).await.data();
    stack.stack.program(service).ended().await;
    stack.stack.restart(service, &[]).await;

    let id: types::PurchaseId = purchase.data()["purchaseId"].as_str().unwrap().parse().unwrap();
    let states = async || {
        let mut database = stack.stack.database("gift-cards").await;
        let query = "SELECT state FROM purchases WHERE id = $1";
        let state: String = sqlx::query_scalar(query)
            .bind(id.uuid())
            .fetch_one(&mut database)
            .await
            .unwrap();
        let states = (state, stack.stack.sandbox().intent_status(intent).await);
        if states == ("failed".to_owned(), "canceled".to_owned()) {
            Ok(())
        } else {
            Err(format!("{states:?}"))
        }
    };
    eventually("the purchase is closed and its charge canceled", states).await;
    stack.stack.assert_ledgers_balance().await;
}

#[tokio::test]
async fn a_crash_during_the_removal_of_a_buyer_leaves_no_purchase() {
    remove_buyer_despite_crash_of("gift-cards", "consumer.committed").await;
}

#[tokio::test]
async fn a_crash_after_the_charge_of_a_removed_buyer_was_closed_leaves_no_purchase() {
    remove_buyer_despite_crash_of("gift-cards", "purchase.closed").await;
}

#[tokio::test]
async fn a_crash_of_payments_after_it_voided_the_charge_of_a_removed_buyer_leaves_no_purchase() {
    remove_buyer_despite_crash_of("payments", "effect.executed").await;
}
