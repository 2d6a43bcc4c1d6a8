//! Many consumers with returned bank debits, at the same time: each pays exactly what they owe, and each can pay for a new order
//! afterwards. `CONSUMERS=1000` runs the test with a thousand.

use std::collections::HashMap;
use std::time::Duration;

use futures::{StreamExt, stream};
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{ChargeState, CheckDebtsRequest, RecoverFailedPaymentsResponse};
use serde_json::{Value, json};
use testing::{into_result, request_from_service};
use types::{ConsumerId, OrderId};

use crate::harness::{AMOUNT, Card, Consumer, Harness, cancelled, completed, new_order_id, saved};

const DEFAULT_CONSUMERS: usize = 120;
const CONCURRENT: usize = 8;
/// Long, because the consumers share one machine with the provider.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(8);
const PENALTY_FEE: i64 = 500;

/// What happens to a consumer. Consumers with different numbers have different stories.
struct Story<'a> {
    number: usize,
    ada: Consumer<'a>,
    card: String,
    orders: Vec<OrderId>,
}

impl Story<'_> {
    /// The debit settled and was refunded before the bank returned it.
    const fn is_refunded(&self) -> bool {
        self.number % 4 == 3
    }

    const fn count_debts(&self) -> usize {
        if self.number.is_multiple_of(5) { 2 } else { 1 }
    }

    const fn is_declined_first(&self) -> bool {
        self.number.is_multiple_of(8)
    }

    /// What the consumer paid in the end, in cents. A returned debit that was refunded before cost nothing.
    fn paid(&self) -> i64 {
        let per_debt = if self.is_refunded() {
            0
        } else {
            AMOUNT + PENALTY_FEE
        };
        per_debt * i64::try_from(self.count_debts()).unwrap()
    }
}

/// Runs a step of all stories, some at a time.
async fn for_each<'s, 'h: 's>(stories: &'s [Story<'h>], step: impl AsyncFn(&'s Story<'h>)) {
    stream::iter(stories)
        .for_each_concurrent(CONCURRENT, |story| step(story))
        .await;
}

/// Places the orders by bank debit.
async fn begin(harness: &Harness, number: usize) -> Story<'_> {
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let card = ada.add_method(Card::Good).await;
    let mut story = Story {
        number,
        ada,
        card,
        orders: Vec::new(),
    };
    for _ in 0..story.count_debts() {
        let order_id = new_order_id();
        harness.authorize(order_id, &story.ada, &account).await.unwrap();
        if !story.is_refunded() {
            harness.consume_order_event(order_id, completed()).await;
        }
        story.orders.push(order_id);
    }
    story
}

/// Returns the payment intents at the provider by order.
async fn intents(harness: &Harness) -> HashMap<String, String> {
    let state = harness.sandbox.state().await;
    let intents = state["payment_intent"].as_array().unwrap().iter();
    let order = |intent: &Value| intent["metadata"]["order_id"].as_str().map(ToOwned::to_owned);
    intents
        .filter_map(|intent| Some((order(intent)?, intent["id"].as_str()?.to_owned())))
        .collect()
}

/// Lets the bank settle or return the debits of an order.
async fn decide(harness: &Harness, story: &Story<'_>, intents: &HashMap<String, String>, decision: &str) {
    for order_id in &story.orders {
        let intent = &intents[&order_id.to_string()];
        let path = format!("payment_intents/{intent}/{decision}");
        harness.sandbox.admin(&path, json!({})).await;
        harness.refresh(*order_id).await.unwrap();
    }
}

fn total_owed(response: &RecoverFailedPaymentsResponse) -> i64 {
    response.total_owed.as_ref().unwrap().minor_units
}

/// Pays the debts with a declined card, and then with a good one: two taps and another tab, which lists the debts in another
/// order.
async fn recover(story: &Story<'_>) {
    let ada = &story.ada;
    let list = ada.failed_payments().await;
    assert_eq!(list.payments.len(), story.count_debts());
    let debts: Vec<String> = list.payments.into_iter().map(|debt| debt.debt_id).collect();
    let owed = list.total_owed.unwrap().minor_units;
    if story.is_declined_first() {
        let declined = ada.add_method(Card::DeclinesWhenCharged).await;
        let response = ada.recover(&debts, saved(&declined)).await.unwrap();
        assert_eq!(total_owed(&response), owed);
        assert!(
            response
                .results
                .iter()
                .all(|result| result.reason == "CARD_DECLINED")
        );
    }
    let reversed: Vec<String> = debts.iter().rev().cloned().collect();
    let pay = |debts| ada.recover(debts, saved(&story.card));
    let (tap, second_tap, other_tab) = tokio::join!(pay(&debts), pay(&debts), pay(&reversed));
    for response in [tap, second_tap, other_tab] {
        let response = response.unwrap();
        assert!(
            response.results.iter().all(|result| result.recovered),
            "{response:?}"
        );
    }
    assert_eq!(ada.failed_payments().await.total_owed.unwrap().minor_units, 0);
}

/// Returns what each consumer paid: captured, less what was refunded or returned. Cents by id of the consumer.
async fn paid_at_provider(harness: &Harness) -> HashMap<ConsumerId, i64> {
    let state = harness.sandbox.state().await;
    let list = |kind: &str| state[kind].as_array().cloned().unwrap_or_default();
    let cents = |value: &Value| value.as_i64().unwrap();
    let consumers: HashMap<String, ConsumerId> = list("customer")
        .into_iter()
        .map(|customer| {
            let id = customer["metadata"]["consumer_id"].as_str().unwrap();
            (customer["id"].as_str().unwrap().to_owned(), id.parse().unwrap())
        })
        .collect();
    let mut refunded: HashMap<String, i64> = HashMap::new();
    for refund in list("refund") {
        *refunded
            .entry(refund["charge"].as_str().unwrap().to_owned())
            .or_default() += cents(&refund["amount"]);
    }
    let mut paid = HashMap::new();
    for charge in list("charge") {
        if charge["captured"] != true || charge["paid"] != true {
            continue;
        }
        let returned = if charge["disputed"] == true {
            cents(&charge["amount"])
        } else {
            0
        };
        let refunded = refunded.get(charge["id"].as_str().unwrap()).copied();
        let consumer = consumers[charge["customer"].as_str().unwrap()];
        *paid.entry(consumer).or_default() +=
            cents(&charge["amount_captured"]) - returned - refunded.unwrap_or_default();
    }
    paid
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_consumers_pay_what_they_owe_and_none_is_stuck() {
    let count = std::env::var("CONSUMERS").map_or(DEFAULT_CONSUMERS, |count| count.parse().unwrap());
    let harness = Harness::with_provider_timeout(PROVIDER_TIMEOUT).await;
    let stories: Vec<Story<'_>> = stream::iter(0..count)
        .map(|number| begin(&harness, number))
        .buffer_unordered(CONCURRENT)
        .collect()
        .await;
    let intents = intents(&harness).await;
    for_each(&stories, async |story| {
        if story.is_refunded() {
            decide(&harness, story, &intents, "settle").await;
            for order_id in &story.orders {
                harness.consume_order_event(*order_id, cancelled()).await;
            }
        }
    })
    .await;
    harness.execute_effects().await;
    for_each(&stories, async |story| {
        decide(&harness, story, &intents, "return").await;
        let blocked = harness.authorize(new_order_id(), &story.ada, &story.card).await;
        assert_eq!(blocked.unwrap_err().reason, "FAILED_ACH_PAYMENTS");
    })
    .await;
    for_each(&stories, async |story| recover(story).await).await;

    let paid = paid_at_provider(&harness).await;
    for story in &stories {
        let actual = paid.get(&story.ada.id).copied().unwrap_or_default();
        assert_eq!(actual, story.paid(), "story {}", story.number);
    }
    for_each(&stories, async |story| {
        let request = CheckDebtsRequest {
            consumer_id: story.ada.id.to_string(),
        };
        let request = request_from_service("ordering", request);
        let response = into_result(harness.grpc().check_debts(request).await);
        assert!(!response.unwrap().has_debts);
        // The provider takes part in a sample only, which keeps the test short.
        if story.number % 10 == 0 {
            let charge = harness.authorize(new_order_id(), &story.ada, &story.card).await;
            assert_eq!(charge.unwrap().state(), ChargeState::Authorized);
        }
    })
    .await;
    let in_flight: i64 = sqlx::query_scalar("SELECT count(*) FROM debt_recoveries WHERE state = 'in_flight'")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(in_flight, 0);
    drop(stories);
    harness.shut_down().await;
}
