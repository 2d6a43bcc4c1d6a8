//! A consumer who owes a returned payment, pays it, and then adds funds and buys gift cards. Remembers all responses.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::shopper::{FINAL_TIMEOUT, Tally, post};
use crate::harness::{Consumer, Reply, Store, Tender, eventually};

const MAX_PAUSE_MILLIS: u64 = 600;
/// Debits of this test account are decided by the sandbox.
const UNDECIDED_ACCOUNT: &str = "000000000009";

pub struct Buyer {
    consumer: Consumer,
    card: Tender,
    declined: Tender,
    /// Id and total of the debt.
    debt: (String, i64),
    random: StdRng,
    attempts: Vec<Attempt>,
    pub tally: Tally,
}

/// A purchase, which is repeated with the same key.
struct Attempt {
    path: &'static str,
    body: Value,
    /// The first response that is stored under the key.
    response: Option<Reply>,
}

impl Buyer {
    /// Registers a consumer whose bank has returned the payment of an order that was made.
    pub async fn register(consumer: Consumer, store: &Store, seed: u64) -> Self {
        let bank = consumer.with_bank(UNDECIDED_ACCOUNT).await;
        let order = consumer.place_order("Latte", store, &bank).await;
        store.make(&order).await;
        consumer.stack.sandbox().return_debit(&order).await;
        let debt = eventually("the returned payment is owed", async || {
            let list = failed_payments(&consumer).await;
            let id = list["list"][0]["paymentIntentId"].as_str();
            id.map(|id| (id.to_owned(), list["totalOwed"].as_i64().unwrap()))
                .ok_or("no debt yet")
        })
        .await;
        Self {
            card: consumer.with_card("4242424242424242").await,
            declined: consumer.with_card("4000000000000341").await,
            debt,
            random: StdRng::seed_from_u64(seed),
            attempts: Vec::new(),
            tally: Tally::default(),
            consumer,
        }
    }

    /// Pays the debt, and buys until the given time.
    pub async fn buy(mut self, until: Instant) -> Self {
        while Instant::now() < until {
            let pause = self.random.random_range(0..MAX_PAUSE_MILLIS);
            sleep(Duration::from_millis(pause)).await;
            if self.random.random_bool(0.3) {
                self.pay_debt().await;
            }
            let mut attempt = self.attempt();
            // Some consumers give up after the first failure.
            let tries = if self.random.random_bool(0.8) { 6 } else { 1 };
            for _ in 0..tries {
                let reply = post(&self.consumer, attempt.path, &attempt.body, &mut self.tally).await;
                match reply {
                    // With a debt, nothing is written.
                    Some(reply) if reply.status == 403 => break,
                    Some(reply) => {
                        attempt.response = Some(reply);
                        break;
                    }
                    None => sleep(Duration::from_millis(self.random.random_range(100..1_000))).await,
                }
            }
            self.attempts.push(attempt);
        }
        self
    }

    fn attempt(&mut self) -> Attempt {
        let tender = if self.random.random_bool(0.2) {
            &self.declined
        } else {
            &self.card
        };
        let mut body = json!({ "amount": 1_000, "payment": tender.0, "idempotencyKey": Uuid::new_v4() });
        let path = if self.random.random_bool(0.5) {
            "payment/upload"
        } else {
            body["recipient"] = json!({ "kind": "self" });
            body["design"] = json!("birthday");
            "gift-card"
        };
        Attempt {
            path,
            body,
            response: None,
        }
    }

    /// Returns whether nothing is owed anymore.
    async fn pay_debt(&mut self) -> bool {
        let body = json!({
            "userId": self.consumer.id.to_string(), "paymentIntentIds": [self.debt.0],
            "paymentMethodId": self.card.0["paymentMethodId"], "paymentMethodType": "card", "idempotencyKey": "100",
        });
        let path = "payment/update-failed-payments";
        let reply = post(&self.consumer, path, &body, &mut self.tally).await;
        reply.is_some_and(|reply| reply.body["data"]["totalOwed"] == 0)
    }

    /// Sends all requests again. Each gets the response that it had before, and the consumer has and paid what they say.
    pub async fn repeat_all(&mut self) {
        let end = Instant::now() + FINAL_TIMEOUT;
        while !self.pay_debt().await {
            assert!(Instant::now() < end, "the debt is not paid");
            sleep(Duration::from_millis(200)).await;
        }
        let mut bought = 0;
        for attempt in std::mem::take(&mut self.attempts) {
            let end = Instant::now() + FINAL_TIMEOUT;
            let reply = loop {
                let reply = post(&self.consumer, attempt.path, &attempt.body, &mut self.tally).await;
                match reply {
                    // Purchases that are not finished count against a limit.
                    Some(reply) if reply.body["reason"] != "TOO_MANY_PURCHASES" => break reply,
                    _ => assert!(Instant::now() < end, "no response to {}", attempt.body),
                }
                sleep(Duration::from_millis(200)).await;
            };
            if let Some(response) = attempt.response.filter(is_stored) {
                assert_eq!(outcome(&response), outcome(&reply), "{}", attempt.body);
            }
            if reply.status.is_success() {
                assert_eq!(reply.data()["state"], "Completed", "{}", reply.body);
                bought += attempt.body["amount"].as_i64().unwrap();
                self.tally.count("bought");
            } else {
                self.tally.count(reply.error_reason(reply.status.as_u16()));
            }
        }
        self.assert_balances(bought).await;
    }

    async fn assert_balances(&self, bought: i64) {
        let wallet = self.consumer.get("user/wallet").await;
        let balances = wallet.data()["balances"].as_array().unwrap().clone();
        let total: i64 = balances
            .iter()
            .map(|balance| balance["balance"]["currencyAmount"].as_i64().unwrap())
            .sum();
        assert_eq!(total, bought, "{balances:?}");
        let sandbox = self.consumer.stack.sandbox();
        assert_eq!(sandbox.captured_for_debts(self.consumer.id).await, self.debt.1);
        assert_eq!(failed_payments(&self.consumer).await["totalOwed"], 0);
    }
}

async fn failed_payments(consumer: &Consumer) -> Value {
    consumer.get("payment/failed-payments").await.data().clone()
}

/// Returns what stays the same in each response: the balance in it changes.
fn outcome(reply: &Reply) -> (&Value, &Value) {
    (&reply.body["data"]["purchaseId"], &reply.body["reason"])
}

/// Returns whether the response is stored under the key. Rejections before a purchase is written depend on the state at the time of
/// the request.
fn is_stored(reply: &Reply) -> bool {
    reply.status.is_success()
        || ["CARD_DECLINED", "PURCHASE_NOT_COMPLETED"].contains(&reply.error_reason(reply.status.as_u16()))
}
