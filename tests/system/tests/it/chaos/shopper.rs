//! A consumer who orders repeatedly and remembers all responses.

use std::{collections::BTreeMap, fmt, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::harness::{Checkout, Consumer, Reply, Store, Tender};

const MAX_PAUSE_MILLIS: u64 = 400;
/// After the last fault a key has to get its response within this time.
pub const FINAL_TIMEOUT: Duration = Duration::from_mins(1);

pub struct Shopper {
    consumer: Consumer,
    stores: Vec<Store>,
    card: Tender,
    declined: Tender,
    authenticated: Tender,
    joepass: Tender,
    latte: Value,
    random: StdRng,
    attempts: Vec<Attempt>,
    pub tally: Tally,
}

/// A request to place an order, which is repeated with the same key.
struct Attempt {
    checkout: Checkout,
    /// The first response other than 503 that is final.
    response: Option<Reply>,
}

/// Counts of the responses that consumers received.
#[derive(Default)]
pub struct Tally {
    /// Placed orders and reasons of rejections.
    outcomes: BTreeMap<String, usize>,
    unavailable: usize,
    /// Connections that ended without a response.
    interrupted: usize,
    repeated: usize,
}

impl Tally {
    pub fn add(&mut self, other: Self) {
        for (outcome, count) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += count;
        }
        self.unavailable += other.unavailable;
        self.interrupted += other.interrupted;
        self.repeated += other.repeated;
    }

    /// Panics if the run did not exercise what it is for.
    pub fn assert_outcomes_covered(&self) {
        let placed = self.outcomes.get("placed").copied().unwrap_or_default();
        assert!(placed >= 20, "too few orders: {self}");
        let bought = self.outcomes.get("bought").copied().unwrap_or_default();
        assert!(bought >= 5, "too few purchases: {self}");
        assert!(self.unavailable + self.interrupted > 0, "no fault was noticed");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{:?}; {} times unavailable, {} interrupted, {} keys repeated",
            self.outcomes, self.unavailable, self.interrupted, self.repeated
        )
    }
}

impl Shopper {
    pub async fn register(consumer: Consumer, stores: &[Store], latte: &Value, seed: u64) -> Self {
        Self {
            card: consumer.with_card("4242424242424242").await,
            declined: consumer.with_card("4000000000000341").await,
            authenticated: consumer.with_card("4000002760003184").await,
            joepass: consumer.with_joepass(100_000).await,
            stores: stores.to_vec(),
            latte: latte.clone(),
            random: StdRng::seed_from_u64(seed),
            attempts: Vec::new(),
            tally: Tally::default(),
            consumer,
        }
    }

    /// Orders until the given time.
    pub async fn shop(mut self, until: Instant) -> Self {
        while Instant::now() < until {
            let pause = self.random.random_range(0..MAX_PAUSE_MILLIS);
            sleep(Duration::from_millis(pause)).await;
            let Some(checkout) = self.price().await else {
                continue;
            };
            let is_double = self.random.random_bool(0.1);
            // Some consumers give up after the first failure.
            let retries = self.random.random_bool(0.8);
            let response = if is_double {
                let (mut twin_tally, mut tally) = (Tally::default(), Tally::default());
                let (one, other) = tokio::join!(
                    try_place(&checkout, &mut tally),
                    try_place(&checkout, &mut twin_tally),
                );
                self.tally.add(tally);
                self.tally.add(twin_tally);
                assert_same(&checkout, one.as_ref(), other.as_ref());
                one.or(other)
            } else {
                try_place(&checkout, &mut self.tally).await
            };
            let response = match response {
                None if retries => self.retry(&checkout, until).await,
                response => response,
            };
            if let Some(response) = &response {
                self.act_on(response).await;
            }
            self.attempts.push(Attempt { checkout, response });
        }
        self
    }

    /// Prices a cart. Returns `None` if that is not possible now.
    async fn price(&mut self) -> Option<Checkout> {
        let store = self.random.random_range(0..self.stores.len());
        let promo = match self.random.random_range(0..10) {
            0 | 1 => Some("TREAT3"),
            2..5 => Some("FRESH10"),
            _ => None,
        };
        let tender = match self.random.random_range(0..20) {
            0 => &self.declined,
            1 | 2 => &self.authenticated,
            3..=10 => &self.card,
            _ => &self.joepass,
        };
        let sizes = self.latte["sizes"].as_array().unwrap();
        let size = sizes.iter().find(|size| size["isDefault"] == true).unwrap();
        let line = json!({ "lineId": "1", "itemId": self.latte["itemId"], "sizeId": size["sizeId"],
            "quantity": self.random.random_range(1..=2), "choices": [], "note": "" });
        let cart = json!({ "cartId": Uuid::new_v4(), "storeId": self.stores[store].id.to_string(), "items": [line],
            "pickup": "counter", "schedule": null, "promo": { "code": promo.unwrap_or_default() }, "tipAmount": 0 });
        let quote = post(
            &self.consumer,
            "order/pricing",
            &json!({ "cart": cart }),
            &mut self.tally,
        )
        .await?;
        if !quote.status.is_success() {
            self.tally.count(quote.error_reason(quote.status.as_u16()));
            return None;
        }
        let quote = quote.data();
        let body = json!({ "cart": cart, "paymentMethod": tender.0, "idempotencyKey": Uuid::new_v4(),
            "expectedTotal": quote["total"], "expectedReadyAt": quote["eta"]["readyAt"], "pickupName": "Ada" });
        let checkout = Checkout {
            consumer: self.consumer.clone(),
            body,
        };
        let is_split = tender.0["type"] == "card" && self.random.random_bool(0.3);
        Some(if is_split {
            checkout.with_stored_value(&self.joepass, 200)
        } else {
            checkout
        })
    }

    /// Repeats the request as the app does, until it has a response or the time has passed.
    async fn retry(&mut self, checkout: &Checkout, until: Instant) -> Option<Reply> {
        while Instant::now() < until {
            sleep(Duration::from_millis(self.random.random_range(200..1_500))).await;
            if let Some(reply) = try_place(checkout, &mut self.tally).await {
                return Some(reply);
            }
        }
        None
    }

    /// Authenticates a payment, or cancels an order, sometimes.
    async fn act_on(&mut self, response: &Reply) {
        if !response.status.is_success() {
            return;
        }
        let order = response.order();
        if response.order_status() == "PaymentPending" {
            let secret = response.data()["clientSecret"].as_str().unwrap();
            let outcome = match self.random.random_range(0..6) {
                0 => return,
                1 => "fail",
                _ => "complete",
            };
            self.consumer
                .stack
                .sandbox()
                .try_authenticate(secret, outcome)
                .await;
        } else if self.random.random_bool(0.2) {
            sleep(Duration::from_millis(self.random.random_range(0..800))).await;
            post(
                &self.consumer,
                "order/cancel",
                &json!({ "orderId": order }),
                &mut self.tally,
            )
            .await;
        }
    }

    /// Sends all requests again. Each gets the response that it had before, and each placed order exists.
    pub async fn repeat_all(&mut self) {
        for attempt in std::mem::take(&mut self.attempts) {
            let end = Instant::now() + FINAL_TIMEOUT;
            let reply = loop {
                match try_place(&attempt.checkout, &mut self.tally).await {
                    Some(reply) if !is_pending(&reply) => break reply,
                    _ => assert!(Instant::now() < end, "no response to {}", attempt.checkout.body),
                }
                sleep(Duration::from_millis(200)).await;
            };
            self.tally.repeated += 1;
            assert_same(&attempt.checkout, attempt.response.as_ref(), Some(&reply));
            let was_placed = attempt
                .response
                .is_some_and(|response| response.status.is_success() && is_stored(&response));
            assert!(
                !was_placed || reply.status.is_success(),
                "an acknowledged order is gone: {}",
                attempt.checkout.body
            );
            if reply.status.is_success() {
                self.tally.count("placed");
                assert!(self.consumer.order(&reply.order()).await.status.is_success());
            } else {
                self.tally.count(reply.error_reason(reply.status.as_u16()));
            }
        }
    }
}

impl Tally {
    pub fn count(&mut self, outcome: &str) {
        *self.outcomes.entry(outcome.to_owned()).or_default() += 1;
    }
}

/// Reasons of rejections that are stored under the key because the order was already written. Rejections before that depend on
/// the state at the time of the request.
const STORED_REJECTIONS: [&str; 4] = [
    "CARD_DECLINED",
    "ORDER_NOT_PLACED",
    "AUTHENTICATION_FAILED",
    "AUTHENTICATION_EXPIRED",
];

fn is_pending(reply: &Reply) -> bool {
    reply.status.is_success() && reply.order_status() == "PaymentPending"
}

fn is_stored(reply: &Reply) -> bool {
    if reply.status.is_success() {
        !is_pending(reply)
    } else {
        STORED_REJECTIONS.contains(&reply.error_reason(reply.status.as_u16()))
    }
}

/// Panics unless two responses that are stored under one key are equal.
fn assert_same(checkout: &Checkout, one: Option<&Reply>, other: Option<&Reply>) {
    let (Some(one), Some(other)) = (one, other) else {
        return;
    };
    if is_stored(one) && is_stored(other) {
        assert_eq!(one, other, "two responses to {}", checkout.body);
    }
}

async fn try_place(checkout: &Checkout, tally: &mut Tally) -> Option<Reply> {
    post(&checkout.consumer, "order/create", &checkout.body, tally).await
}

/// Returns `None` if the response is 503 or the connection was lost.
pub async fn post(consumer: &Consumer, path: &str, body: &Value, tally: &mut Tally) -> Option<Reply> {
    let path = format!("/api/consumer/{path}");
    match consumer
        .try_send(Method::POST, &path, Some(body.to_string()))
        .await
    {
        Ok(reply) if reply.is_unavailable() => {
            tally.unavailable += 1;
            None
        }
        Ok(reply) => {
            assert!(
                reply.status.as_u16() < 500,
                "{path}: {} {}",
                reply.status,
                reply.body
            );
            Some(reply)
        }
        Err(error) => {
            assert!(!error.is_timeout(), "{path}: the gateway did not respond: {body}");
            tally.interrupted += 1;
            None
        }
    }
}
