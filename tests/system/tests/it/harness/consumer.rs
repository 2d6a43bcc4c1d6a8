//! A consumer with a browser.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ledger::{AccountId, Overdraft, Posting, Unit};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use types::{ConsumerId, OrderId};
use uuid::Uuid;

use super::{Reply, Stack, Tender, eventually, now};

/// A signed-in consumer with their own cookies.
#[derive(Clone)]
pub struct Consumer {
    pub id: ConsumerId,
    pub stack: &'static Stack,
    http: Client,
}

impl Stack {
    /// Registers and signs in a new consumer.
    pub async fn consumer(&'static self) -> Consumer {
        Consumer::sign_in(self).await
    }
}

static NUMBERS: AtomicU32 = AtomicU32::new(2_000_000);

impl Consumer {
    pub async fn sign_in(stack: &'static Stack) -> Self {
        let http = Client::builder().cookie_store(true).build().unwrap();
        let mut consumer = Self {
            id: ConsumerId::from_uuid(Uuid::nil()),
            stack,
            http,
        };
        let phone = format!("+1206{}", NUMBERS.fetch_add(1, Relaxed));
        consumer
            .post("authentication/login", json!({ "phone": phone }))
            .await
            .data();
        let code = eventually("a sign-in code was sent", async || {
            code_for(&phone, &stack.messages()).ok_or("none yet")
        })
        .await;
        let verified = consumer
            .post("authentication/verify", json!({ "phone": phone, "code": code }))
            .await;
        consumer.id = verified.data()["profile"]["id"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        consumer
            .post("user/name", json!({ "firstName": "Ada", "lastName": "Test" }))
            .await
            .data();
        consumer
    }

    /// Saves a card: types it into the card element and imports it.
    pub async fn with_card(&self, number: &str) -> Tender {
        let secret = self.send(Method::POST, "/api/stripe/card/secret", None).await;
        let secret = secret.data()["clientSecret"].as_str().unwrap().to_owned();
        self.stack.sandbox().confirm_setup(&secret, number).await;
        let list = self
            .send(Method::POST, "/api/consumer/payment/add-card", None)
            .await;
        let methods = list.data()["paymentMethods"].as_array().unwrap();
        let last4 = &number[number.len() - 4..];
        let added = methods
            .iter()
            .find(|method| method["last4"] == last4)
            .expect("the new card");
        Tender::card(added["paymentMethodId"].as_str().unwrap())
    }

    /// Adds a JoePass balance in cents with a ledger posting, as the seed does.
    pub async fn with_joepass(&self, cents: i64) -> Tender {
        self.post_joepass(cents, |system, own| (system, own)).await;
        let wallet = self.get("user/wallet").await;
        Tender::joepass(wallet.data()["balances"][0]["id"].as_str().unwrap())
    }

    async fn post_joepass(
        &self,
        cents: i64,
        way: impl FnOnce(AccountId, AccountId) -> (AccountId, AccountId),
    ) {
        let mut gift_cards = self.stack.database("gift-cards").await;
        let mut tx = sqlx::Connection::begin(&mut gift_cards).await.unwrap();
        sqlx::query("INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING")
            .bind(self.id.uuid())
            .execute(&mut *tx)
            .await
            .unwrap();
        let own = ledger::account::open(&mut tx, "joepass", self.id.uuid(), Unit::Usd, now())
            .await
            .unwrap();
        let (from, to) = way(AccountId::fixed(1), own);
        let posting = Posting {
            reference: &format!("test:{}", Uuid::new_v4()),
            from,
            to,
            unit: Unit::Usd,
            amount: cents,
            overdraft: Overdraft::Refused,
            kind: "gift",
            explanation: "For a test",
            subject: None,
            at: now(),
        };
        ledger::post(&mut tx, posting).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Reduces the JoePass balance.
    pub async fn spend(&self, cents: i64) {
        self.post_joepass(cents, |system, own| (own, system)).await;
    }

    pub async fn cancel(&self, order: &str) -> Reply {
        self.post("order/cancel", json!({ "orderId": order })).await
    }

    pub async fn order(&self, order: &str) -> Reply {
        self.get(&format!("order/status?orderId={order}")).await
    }

    /// Waits until an order has the status and returns it.
    pub async fn wait_for_status(&self, order: &str, status: &str) -> Value {
        eventually(&format!("{order} is {status}"), async || {
            let reply = self.order(order).await;
            let is = &reply.body["data"]["status"];
            if is == status {
                Ok(reply.body["data"].clone())
            } else {
                Err(format!("{is}"))
            }
        })
        .await
    }

    /// Returns the ids of all orders, including failed ones.
    pub async fn all_orders(&self) -> Vec<String> {
        let mut ordering = self.stack.database("ordering").await;
        let ids: Vec<Uuid> =
            sqlx::query_scalar("SELECT id FROM orders WHERE consumer_id = $1 ORDER BY created_at")
                .bind(self.id.uuid())
                .fetch_all(&mut ordering)
                .await
                .unwrap();
        ids.into_iter()
            .map(|id| OrderId::from_uuid(id).to_string())
            .collect()
    }

    /// Returns the id of the only order.
    pub async fn only_order(&self) -> String {
        let mut orders = self.all_orders().await;
        assert_eq!(orders.len(), 1, "{orders:?}");
        orders.remove(0)
    }

    /// Returns the available and the held amount of the JoePass, in cents.
    pub async fn joepass(&self) -> (i64, i64) {
        let wallet = self.get("user/wallet").await;
        let balance = &wallet.data()["balances"][0];
        (super::cents(&balance["balance"]), super::cents(&balance["held"]))
    }

    pub async fn points(&self) -> i64 {
        self.get("user/points").await.data()["balance"].as_i64().unwrap()
    }

    /// Returns the kinds of the inbox messages about an order.
    pub async fn message_kinds(&self, order: &str) -> Vec<String> {
        let inbox = self.get("inbox/list?take=50").await;
        let messages = inbox.data()["messages"].as_array().unwrap();
        let about = messages.iter().filter(|message| message["orderId"] == order);
        about
            .map(|message| message["kind"].as_str().unwrap().to_owned())
            .collect()
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, &format!("/api/consumer/{path}"), None)
            .await
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(
            Method::POST,
            &format!("/api/consumer/{path}"),
            Some(body.to_string()),
        )
        .await
    }

    /// Sends any request from the app's own origin.
    pub async fn send(&self, method: Method, path: &str, body: Option<String>) -> Reply {
        let origin = self.stack.origin();
        let request = self.request(&origin, method, path);
        Reply::to(match body {
            Some(body) => request.header("content-type", "application/json").body(body),
            None => request,
        })
        .await
    }

    /// Sends a request from another origin.
    pub async fn post_from_origin(&self, origin: &str, path: &str, body: &Value) -> Reply {
        let request = self.request(origin, Method::POST, &format!("/api/consumer/{path}"));
        Reply::to(request.json(body)).await
    }

    fn request(&self, origin: &str, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.stack.origin()))
            .header("origin", origin)
            .header("x-correlation-id", Uuid::new_v4().to_string())
    }
}

fn code_for(phone: &str, messages: &str) -> Option<String> {
    let mut sent = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let message = sent.rfind(|message| message["phone"] == phone)?;
    message["code"].as_str().map(str::to_owned)
}
