//! Consumers with sessions and balances, and the order that each of them places repeatedly.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use ledger::{AccountId, Overdraft, Posting, Unit};
use reqwest::{Client, Method, RequestBuilder, Response, header::SET_COOKIE};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use types::{Clock, ConsumerId, StoreId, SystemClock};
use uuid::Uuid;

use crate::environment::setting;

/// More than any consumer spends during a run.
const BALANCE_CENTS: i64 = 100_000_000;
const CONCURRENCY: usize = 8;

#[derive(Debug, Clone)]
pub struct Consumer {
    session: String,
    balance: String,
}

/// The gateway with the consumers who order and the stores they order from.
#[derive(Debug)]
pub struct Target {
    http: Client,
    gateway: String,
    consumers: Vec<Consumer>,
    /// A cart line with one Latte, valid at every store.
    line: Value,
    total: Value,
    stores: Vec<StoreId>,
}

impl Target {
    /// Signs consumers in and adds a balance for each.
    pub async fn prepare(gateway: &str, stores: &[StoreId], consumers: usize) -> anyhow::Result<Self> {
        let http = Client::builder()
            .timeout(Duration::from_secs(20))
            .pool_max_idle_per_host(256)
            .build()?;
        let mut target = Self {
            http,
            gateway: gateway.trim_end_matches('/').to_owned(),
            consumers: Vec::new(),
            line: Value::Null,
            total: Value::Null,
            stores: stores.to_vec(),
        };
        target.consumers = stream::iter(0..consumers)
            .map(|number| target.sign_in(number))
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await?;
        target.line = target.latte_line().await?;
        target.total = target.price().await?;
        Ok(target)
    }

    async fn sign_in(&self, number: usize) -> anyhow::Result<Consumer> {
        let phone = format!("+1206{}", 2_000_000 + number);
        let login = json!({ "phone": phone });
        data(
            self.call(Method::POST, "authentication/login", "")
                .json(&login)
                .send()
                .await?,
        )
        .await?;
        let verify = json!({ "phone": phone, "code": code(&phone).await? });
        let verified = self
            .call(Method::POST, "authentication/verify", "")
            .json(&verify)
            .send()
            .await?;
        let cookies = verified
            .headers()
            .get_all(SET_COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let session = cookies
            .filter_map(|cookie| cookie.split(';').next())
            .find(|cookie| cookie.starts_with("session="))
            .context("no session cookie")?
            .to_owned();
        let id: ConsumerId = data(verified).await?["profile"]["id"]
            .as_str()
            .context("no id")?
            .parse()?;
        add_balance(id).await?;
        let wallet = data(self.call(Method::GET, "user/wallet", &session).send().await?).await?;
        let balance = wallet["balances"][0]["id"]
            .as_str()
            .context("no balance")?
            .to_owned();
        Ok(Consumer { session, balance })
    }

    async fn latte_line(&self) -> anyhow::Result<Value> {
        let store = self.stores[0];
        let menu = data(
            self.call(Method::GET, &format!("store/menu?storeId={store}"), "")
                .send()
                .await?,
        )
        .await?;
        let sections = menu["sections"].as_array().context("no menu")?;
        let mut items = sections
            .iter()
            .flat_map(|section| section["items"].as_array().into_iter().flatten());
        let id = items
            .find(|item| item["name"] == "Latte")
            .and_then(|item| item["itemId"].as_str())
            .context("no Latte")?;
        let path = format!("item/details?storeId={store}&itemId={id}");
        let item = data(self.call(Method::GET, &path, "").send().await?).await?;
        let sizes = item["sizes"].as_array().context("no sizes")?;
        let size = sizes
            .iter()
            .find(|size| size["isDefault"] == true)
            .context("no default size")?;
        Ok(
            json!({ "lineId": "1", "itemId": id, "sizeId": size["sizeId"], "quantity": 1, "choices": [], "note": "" }),
        )
    }

    async fn price(&self) -> anyhow::Result<Value> {
        let body = json!({ "cart": self.cart(0) });
        let priced = self.send(0, Method::POST, "order/pricing", Some(&body)).await?;
        Ok(priced["total"].clone())
    }

    /// Returns a cart with one item.
    pub fn cart(&self, number: usize) -> Value {
        json!({ "cartId": Uuid::new_v4(), "storeId": self.store(number).to_string(),
            "items": [self.line], "pickup": "counter", "schedule": null, "promo": { "code": "" }, "tipAmount": 0 })
    }

    /// Places an order and returns it. Consecutive numbers use different consumers and stores.
    pub async fn place_order(&self, number: usize) -> anyhow::Result<Value> {
        // Accept any ready time: the stores fill up during the measurement.
        let latest = SystemClock.now() + SignedDuration::from_hours(72);
        let body = json!({
            "cart": self.cart(number),
            "paymentMethod": { "type": "joebucks", "paymentMethodId": self.consumer(number).balance },
            "idempotencyKey": Uuid::new_v4(),
            "expectedTotal": self.total,
            "expectedReadyAt": latest.to_string(),
        });
        let order = self
            .send(number, Method::POST, "order/create", Some(&body))
            .await?;
        ensure!(order["status"] == "Placed", "the order is {}", order["status"]);
        Ok(order)
    }

    /// Calls the gateway for a consumer and returns the data of the response.
    pub async fn send(
        &self,
        number: usize,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let mut request = self.call(method, path, &self.consumer(number).session);
        if let Some(body) = body {
            request = request.json(body);
        }
        data(request.send().await?).await
    }

    fn consumer(&self, number: usize) -> &Consumer {
        &self.consumers[number % self.consumers.len()]
    }

    pub fn store(&self, number: usize) -> StoreId {
        self.stores[number % self.stores.len()]
    }

    /// Returns the path of the item that consumers order.
    pub fn item_path(&self, number: usize) -> String {
        let item = self.line["itemId"].as_str().unwrap_or_default();
        format!("item/details?storeId={}&itemId={item}", self.store(number))
    }

    fn call(&self, method: Method, path: &str, session: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}/api/consumer/{path}", self.gateway))
            .header("origin", &self.gateway)
            .header("x-correlation-id", Uuid::new_v4().to_string())
            .header("cookie", session)
    }
}

async fn data(response: Response) -> anyhow::Result<Value> {
    let status = response.status();
    let body: Value = response.json().await?;
    ensure!(status.is_success(), "{status}: {}", body["reason"]);
    Ok(body["data"].clone())
}

/// Reads the sign-in code from the file of the development sender.
async fn code(phone: &str) -> anyhow::Result<String> {
    let file = PathBuf::from(setting("SMS_FILE")?);
    for _ in 0..200 {
        let sent = std::fs::read_to_string(&file).unwrap_or_default();
        let mut messages = sent
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if let Some(message) =
            messages.rfind(|message| message["phone"] == phone && message["code"].is_string())
        {
            return Ok(message["code"].as_str().unwrap_or_default().to_owned());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("no code was sent to {phone}")
}

/// Posts a JoePass balance, as the seed does for the demo consumer.
async fn add_balance(consumer: ConsumerId) -> anyhow::Result<()> {
    let now: Timestamp = SystemClock.now();
    let mut gift_cards = PgConnection::connect(&setting("GIFT_CARDS_DATABASE_URL")?).await?;
    let mut tx = gift_cards.begin().await?;
    sqlx::query("INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(consumer.uuid())
        .execute(&mut *tx)
        .await?;
    let posting = Posting {
        reference: &format!("load:{consumer}"),
        from: AccountId::fixed(1),
        to: ledger::account::open(&mut tx, "joepass", consumer.uuid(), Unit::Usd, now).await?,
        unit: Unit::Usd,
        amount: BALANCE_CENTS,
        overdraft: Overdraft::Forbidden,
        kind: "gift",
        explanation: "Load test",
        subject: None,
        at: now,
    };
    ledger::post(&mut tx, posting).await?;
    Ok(tx.commit().await?)
}
