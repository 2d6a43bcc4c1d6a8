//! Each call of the API, generated from the OpenAPI document, with the ids of another consumer: without a session, as someone
//! else, and as a consumer who was removed. Each call of stores with the ids of another company's store.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use self::{
    person::Person,
    request::{Access, Operation, Request, Response, operations},
};
use crate::harness::{Consumer, ONE_STORE_CREDENTIAL, Stack, eventually, shared_stack};

mod person;
mod photo;
mod request;

/// Calls that succeed with the id of another consumer, without data and without an effect.
const HARMLESS: &[&str] = &[
    "GET /api/consumer/order/active",
    "GET /api/consumer/payments/list",
    "GET /api/consumer/user/transaction-history",
    "POST /api/consumer/inbox/mark-as-seen",
    "POST /api/consumer/inbox/remove",
    "POST /api/consumer/item/delete-usual-item",
    "POST /api/consumer/payment/update-failed-payments",
    "POST /api/consumer/user/forget-device",
];

/// Calls after which others cannot be tried. They are tried last.
const LAST: &[&str] = &[
    "POST /api/consumer/payment/delete",
    "POST /api/consumer/item/delete-usual-item",
    "POST /api/consumer/inbox/remove",
    "POST /api/consumer/order/cancel",
    "POST /api/consumer/user/remove-photo",
    "POST /api/consumer/user/forget-device",
    "POST /api/consumer/user/end-session",
    LOGOUT,
    "POST /api/consumer/user/remove",
];

/// Tried only in the name of another consumer, because the last call needs the session.
const LOGOUT: &str = "POST /api/consumer/authentication/logout";

/// Calls of stores without the id of a store or an order.
const OF_ANY_STORE: &[&str] = &["GET /store-api/staff/session", "POST /store-api/staff/sign-out"];

fn document() -> Value {
    serde_json::from_str(include_str!("../../../../gateway/openapi.json")).unwrap()
}

/// Calls that need no session, on purpose.
fn public_calls() -> Vec<&'static str> {
    let lines = include_str!("../../../../gateway/tests/it/data/public-calls.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn each_call_without_authentication_is_public_on_purpose() {
    let document = document();
    let public = public_calls();
    for operation in operations(&document) {
        let call = operation.call();
        let is_public = operation.access() == Access::Public;
        assert_eq!(is_public, public.contains(&&*call), "{call}");
    }
}

struct Cast {
    ada: Person,
    /// Another consumer.
    eve: Person,
    signed_out: Consumer,
    removed: Consumer,
    debtor: Consumer,
    debt: Value,
}

impl Cast {
    async fn new(stack: &'static Stack) -> Self {
        let (ada, eve, (debtor, debt)) = tokio::join!(Person::new(stack), Person::new(stack), debtor(stack));
        let removed = stack.consumer().await;
        let remove = "/api/consumer/user/remove";
        removed.send(Method::POST, remove, None).await.data();
        let signed_out = Consumer::signed_out(stack);
        Self {
            ada,
            eve,
            signed_out,
            removed,
            debtor,
            debt,
        }
    }

    /// Returns another consumer's id of this kind.
    fn foreign_id(&self, name: &str) -> Value {
        match name {
            "paymentIntentIds" => json!([self.debt]),
            name => self.ada.values[name].clone(),
        }
    }

    /// Returns what a response shows of another consumer.
    fn check_content(&self, response: &Response) -> Vec<String> {
        let mut violations: Vec<String> = Vec::new();
        if response.status >= 500 {
            violations.push(format!("{response:?}"));
        }
        let shown = self
            .ada
            .secrets
            .iter()
            .filter(|secret| response.text.contains(*secret));
        violations.extend(shown.map(|secret| format!("{secret} in {response:?}")));
        violations
    }

    async fn try_public(&self, operation: &Operation<'_>) -> Vec<String> {
        let request = operation.request_of(&self.ada);
        let mut violations = Vec::new();
        for caller in [&self.signed_out, &self.eve.consumer, &self.removed] {
            violations.extend(self.check_content(&request.send(caller).await));
        }
        violations
    }

    async fn expect_unauthenticated(&self, operation: &Operation<'_>, callers: &[&Consumer]) -> Vec<String> {
        let request = operation.request_of(&self.ada);
        let mut violations = Vec::new();
        for caller in callers {
            let response = request.send(caller).await;
            if (response.status, &*response.reason()) != (401, "UNAUTHENTICATED") {
                violations.push(format!("without a session: {response:?}"));
            }
        }
        violations
    }

    /// Tries a call with the credential of a store of another company.
    async fn try_as_other_store(&self, operation: &Operation<'_>) -> Vec<String> {
        if OF_ANY_STORE.contains(&&*operation.call()) {
            return Vec::new();
        }
        let other = self.ada.store.as_credential(&ONE_STORE_CREDENTIAL);
        let response = operation.request_of(&self.ada).send_as_store(&other).await;
        match (response.status, &*response.reason()) {
            (403, "FORBIDDEN") | (404, "ORDER_UNKNOWN") => Vec::new(),
            _ => vec![format!("as a store of another company: {response:?}")],
        }
    }

    /// Tries each id of another consumer in a request that is valid otherwise, and then the valid request.
    async fn try_as_other_consumer(&self, operation: &Operation<'_>) -> Vec<String> {
        let call = operation.call();
        let mut violations = Vec::new();
        let own = operation.request_of(&self.eve);
        let named = own
            .in_the_name_of(&self.ada.consumer)
            .send(&self.eve.consumer)
            .await;
        if (named.status, &*named.reason()) != (403, "FORBIDDEN") {
            violations.push(format!("in the name of another consumer: {named:?}"));
        }
        let ids = own.personal_ids();
        for (pointer, name) in &ids {
            let foreign = own.with(pointer, self.foreign_id(name));
            let response = foreign.send(&self.eve.consumer).await;
            violations.extend(self.check_content(&response));
            let is_expected = if response.is_success() {
                HARMLESS.contains(&&*call)
            } else {
                [403, 404, 409, 422].contains(&response.status)
            };
            if !is_expected {
                violations.push(format!("{name} of another consumer: {response:?}"));
            }
        }
        if call == LOGOUT {
            return violations;
        }
        let response = own.send(&self.eve.consumer).await;
        violations.extend(self.check_content(&response));
        // Otherwise the requests with foreign ids could be rejected for another reason.
        if !ids.is_empty() && [400, 401, 403, 404].contains(&response.status) {
            violations.push(format!("the request is invalid: {response:?}"));
        }
        violations
    }
}

/// Returns a consumer with a debt, and its id.
async fn debtor(stack: &'static Stack) -> (Consumer, Value) {
    let (consumer, store) = (stack.consumer().await, stack.store());
    let bank = consumer.with_bank("000000000009").await;
    let order = consumer.place_order("Latte", &store, &bank).await;
    store.make(&order).await;
    stack.sandbox().return_debit(&order).await;
    let debt = eventually("the returned payment is owed", async || {
        let list = consumer.get("payment/failed-payments").await;
        let debt = list.data()["list"].get(0);
        debt.map(|debt| debt["paymentIntentId"].clone())
            .ok_or("no debt yet")
    })
    .await;
    (consumer, debt)
}

/// Returns the responses to a consumer's own reads.
async fn snapshot(document: &Value, person: &Person) -> BTreeMap<String, String> {
    let mut responses = BTreeMap::new();
    for operation in operations(document) {
        let is_read = operation.access() == Access::Consumer && operation.method == Method::GET;
        if is_read && !operation.is_stream() {
            let request: Request = operation.request_of(person);
            responses.insert(operation.call(), request.send(&person.consumer).await.text);
        }
    }
    responses
}

#[tokio::test]
async fn no_call_shows_or_changes_the_data_of_another_consumer() {
    let stack = shared_stack().await;
    let cast = Cast::new(stack).await;
    let document = document();
    let before = snapshot(&document, &cast.ada).await;
    // Some responses differ each time, for example the ones with a new PIN.
    let mut stable = snapshot(&document, &cast.ada).await;
    stable.retain(|call, text| before[call] == *text);
    assert!(stable.len() >= 20, "{:?}", stable.keys());
    let owed = cast.debtor.get("payment/failed-payments").await;

    let mut operations = operations(&document);
    operations.sort_by_key(|operation| {
        let rank = LAST.iter().position(|call| *call == operation.call());
        (rank.map_or(0, |rank| rank + 1), operation.method == Method::POST)
    });
    let of_consumers = operations
        .iter()
        .filter(|operation| operation.access() == Access::Consumer);
    let ids: usize = of_consumers
        .map(|operation| operation.request_of(&cast.eve).personal_ids().len())
        .sum();
    assert!(ids >= 25, "{ids} ids of other consumers are tried");

    let consumers = [&cast.signed_out, &cast.removed, &cast.eve.consumer];
    let mut violations = Vec::new();
    for operation in &operations {
        let found = match operation.access() {
            Access::Public => cast.try_public(operation).await,
            Access::Store => {
                let mut found = cast.expect_unauthenticated(operation, &consumers).await;
                found.extend(cast.try_as_other_store(operation).await);
                found
            }
            Access::Operator => cast.expect_unauthenticated(operation, &consumers).await,
            Access::Consumer => {
                let callers = [&cast.signed_out, &cast.removed];
                let mut found = cast.expect_unauthenticated(operation, &callers).await;
                found.extend(cast.try_as_other_consumer(operation).await);
                found
            }
        };
        let call = operation.call();
        violations.extend(found.into_iter().map(|violation| format!("{call}: {violation}")));
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));

    let after = snapshot(&document, &cast.ada).await;
    for (call, text) in &stable {
        assert_eq!(after[call], *text, "{call}");
    }
    assert_eq!(cast.debtor.get("payment/failed-payments").await, owed);
}
