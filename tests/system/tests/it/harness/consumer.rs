//! A consumer with a browser.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response, cookie::Jar};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use types::{ConsumerId, OrderId, timeouts::PLACE_ORDER_TIMEOUT};
use uuid::Uuid;

use super::{Reply, Stack, Tender, eventually, settings::running_origin};

/// A signed-in consumer with their own cookies.
#[derive(Clone)]
pub struct Consumer {
    pub id: ConsumerId,
    pub stack: &'static Stack,
    http: Client,
    cookies: Arc<Jar>,
}

impl Stack {
    /// Registers and signs in a new consumer.
    pub async fn consumer(&'static self) -> Consumer {
        Consumer::sign_in(self).await
    }
}

/// Longer than the gateway's longest timeout for a request, so that the gateway has to end each request.
pub const REQUEST_TIMEOUT: Duration = PLACE_ORDER_TIMEOUT.saturating_add(Duration::from_secs(5));

/// The last seven digits of phone numbers. A running system has the consumers of previous runs.
static NUMBERS: LazyLock<AtomicU32> = LazyLock::new(|| {
    let first = running_origin().map_or(2_000_000, |_| rand::random_range(3_000_000..9_000_000));
    AtomicU32::new(first)
});

impl Consumer {
    /// Returns a browser without a session.
    pub fn signed_out(stack: &'static Stack) -> Self {
        let cookies = Arc::new(Jar::default());
        let http = client(&cookies).build().unwrap();
        Self {
            id: ConsumerId::from_uuid(Uuid::nil()),
            stack,
            http,
            cookies,
        }
    }

    pub async fn sign_in(stack: &'static Stack) -> Self {
        let mut consumer = Self::signed_out(stack);
        let phone = format!("+1206{}", NUMBERS.fetch_add(1, Relaxed));
        // The previous test may have cut the link to Redis, which sign-in requires.
        eventually("sign-in is available", async || {
            let reply = consumer
                .post("authentication/login", json!({ "phone": phone }))
                .await;
            if reply.is_unavailable() {
                Err(reply.body.to_string())
            } else {
                reply.data();
                Ok(())
            }
        })
        .await;
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

    /// Opens a connection for each request, so that none is sent on a connection that the gateway closes at the same moment.
    pub fn without_keep_alive(&self) -> Self {
        let http = client(&self.cookies).pool_max_idle_per_host(0).build().unwrap();
        Self { http, ..self.clone() }
    }

    /// Waits for a response for this time, if the gateway may be frozen for a while.
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        let http = client(&self.cookies).timeout(timeout).build().unwrap();
        Self { http, ..self.clone() }
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

    /// Links a bank account: chooses it in the provider's dialog and imports it.
    pub async fn with_bank(&self, account: &str) -> Tender {
        let session = self.get("payment/add-bank/").await;
        let secret = session.data()["clientSecret"].as_str().unwrap().to_owned();
        self.stack.sandbox().confirm_bank_setup(&secret, account).await;
        let list = self
            .send(Method::POST, "/api/consumer/user/bank-account", None)
            .await;
        let methods = list.data()["paymentMethods"].as_array().unwrap();
        let added = methods.iter().find(|method| method["type"] == "bank");
        Tender(json!({ "type": "bank", "paymentMethodId": added.expect("the account")["paymentMethodId"] }))
    }

    /// Adds a JoePass balance in cents, as the seed does.
    pub async fn with_joepass(&self, cents: i64) -> Tender {
        self.post_joepass(cents).await;
        let wallet = self.get("user/wallet").await;
        Tender::joepass(wallet.data()["balances"][0]["id"].as_str().unwrap())
    }

    /// Reduces the JoePass balance.
    pub async fn spend(&self, cents: i64) {
        self.post_joepass(-cents).await;
    }

    /// Posts a signed amount between the account for development and the consumer's, which it opens.
    async fn post_joepass(&self, cents: i64) {
        let mut gift_cards = self.stack.database("gift-cards").await;
        sqlx::raw_sql(AssertSqlSafe(format!(
            "BEGIN;
             INSERT INTO consumers (consumer_id) VALUES ('{consumer}') ON CONFLICT DO NOTHING;
             INSERT INTO ledger.accounts (id, kind, owner, unit, opened_at)
             VALUES (gen_random_uuid(), 'joepass', '{consumer}', 'usd', now()) ON CONFLICT DO NOTHING;
             INSERT INTO ledger.balances (account_id)
             SELECT id FROM ledger.accounts WHERE owner = '{consumer}' ON CONFLICT DO NOTHING;
             WITH changed AS (
                 UPDATE ledger.balances SET balance = balance + {cents}, line = line + 1
                 FROM ledger.accounts WHERE id = account_id AND owner = '{consumer}'
                 RETURNING account_id, balance, line, {cents} > 0 AS is_received)
             INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation, at,
                                          from_line, from_balance, to_line, to_balance)
             SELECT gen_random_uuid(), 'test:' || gen_random_uuid(),
                    CASE WHEN is_received THEN '{development}' ELSE account_id END,
                    CASE WHEN is_received THEN account_id ELSE '{development}' END,
                    'usd', abs({cents}), 'gift', 'For a test', now(),
                    CASE WHEN NOT is_received THEN line END, CASE WHEN NOT is_received THEN balance END,
                    CASE WHEN is_received THEN line END, CASE WHEN is_received THEN balance END
             FROM changed;
             COMMIT",
            consumer = self.id.uuid(),
            development = Uuid::from_u128(1),
        )))
        .execute(&mut gift_cards)
        .await
        .unwrap();
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

    /// Waits until the consumer has this number of points.
    pub async fn wait_for_points(&self, expected: i64) {
        eventually("the points change", async || {
            let points = self.points().await;
            if points == expected {
                Ok(())
            } else {
                Err(format!("{points} instead of {expected}"))
            }
        })
        .await;
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
        self.try_send(method, path, body).await.unwrap()
    }

    /// Does the same.
    ///
    /// # Errors
    /// If no complete response arrives. The request may have been executed.
    pub async fn try_send(&self, method: Method, path: &str, body: Option<String>) -> reqwest::Result<Reply> {
        let origin = self.stack.origin();
        let request = self.request(&origin, method, path);
        Reply::try_to(match body {
            Some(body) => request.header("content-type", "application/json").body(body),
            None => request,
        })
        .await
    }

    /// Sends a request and returns the start of the response, which may be a stream or a picture.
    pub async fn open(&self, method: Method, path: &str, content_type: &str, body: Vec<u8>) -> Response {
        let request = self.request(&self.stack.origin(), method, path);
        let request = match content_type {
            "" => request,
            content_type => request.header("content-type", content_type).body(body),
        };
        request.send().await.unwrap()
    }

    /// Sends a request from another origin.
    pub async fn post_from_origin(&self, origin: &str, path: &str, body: &Value) -> Reply {
        let request = self.request(origin, Method::POST, &format!("/api/consumer/{path}"));
        Reply::to(request.json(body)).await
    }

    /// Returns a request for a stream at the address of one gateway.
    pub(super) fn stream(&self, url: &str) -> RequestBuilder {
        self.http.get(url)
    }

    fn request(&self, origin: &str, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.stack.origin()))
            .header("origin", origin)
            .header("x-correlation-id", Uuid::new_v4().to_string())
    }
}

fn client(cookies: &Arc<Jar>) -> ClientBuilder {
    Client::builder()
        .cookie_provider(Arc::clone(cookies))
        .timeout(REQUEST_TIMEOUT)
}

fn code_for(phone: &str, messages: &str) -> Option<String> {
    let mut sent = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let message = sent.rfind(|message| message["phone"] == phone)?;
    message["code"].as_str().map(str::to_owned)
}
