//! A consumer with data of every kind.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::photo::photo_form;
use crate::harness::{Checkout, Consumer, Stack, Store, Tender, eventually, item};

/// A debt that does not exist.
const NO_DEBT: &str = "dbt_01h455vb4pex5vsknk084sn02q";

/// Names of parameters and fields with ids of a consumer's data.
pub(super) const PERSONAL: &[&str] = &[
    "balanceId",
    "deviceId",
    "giftCardId",
    "includeDefaultPaymentMethodId",
    "messageIds",
    "orderId",
    "paymentIntentIds",
    "paymentMethodId",
    "photoId",
    "sessionId",
    "setupIntentId",
    "storedValueId",
    "usualItemId",
];

pub(super) struct Person {
    pub(super) consumer: Consumer,
    pub(super) store: Store,
    joepass: Tender,
    /// Valid values of parameters and fields by name.
    pub(super) values: BTreeMap<&'static str, Value>,
    /// An order that can be rated.
    pub(super) completed_order: String,
    /// Texts that only this person may see.
    pub(super) secrets: Vec<String>,
}

impl Person {
    pub(super) async fn new(stack: &'static Stack) -> Self {
        let (consumer, store) = (stack.consumer().await, stack.store());
        let joepass = consumer.with_joepass(100_000).await;
        let card = consumer.with_card("4242424242424242").await;
        let completed_order = consumer.place_order("Latte", &store, &joepass).await;
        store.make(&completed_order).await;
        let mut person = Self {
            consumer,
            store,
            joepass,
            values: BTreeMap::new(),
            completed_order,
            secrets: Vec::new(),
        };
        person.introduce().await;
        person.add_ids(&card).await;
        person.add_other_values(&card).await;
        person
    }

    fn add(&mut self, name: &'static str, value: impl Into<Value>) {
        self.values.insert(name, value.into());
    }

    /// Sets a name, an email address and a vehicle that no other test uses.
    async fn introduce(&mut self) {
        let unique = Uuid::new_v4().simple().to_string();
        let (last_name, email) = (format!("Lovelace{unique}"), format!("ada.{unique}@example.com"));
        let vehicle = format!("Phaeton {unique}");
        let name = json!({ "firstName": "Ada", "lastName": last_name, "email": email });
        let profile = self.consumer.post("user/name", name).await.data().clone();
        let phone = profile["phone"]
            .as_str()
            .unwrap()
            .trim_start_matches('+')
            .to_owned();
        self.add("shareCode", profile["shareCode"].clone());
        let settings = json!({ "vehicle": vehicle });
        self.consumer.post("user/save-settings", settings).await.data();
        self.secrets
            .extend([last_name, email, vehicle, phone, self.consumer.id.to_string()]);
    }

    async fn add_ids(&mut self, card: &Tender) {
        let consumer = self.consumer.clone();
        let card_id = card.0["paymentMethodId"].clone();
        self.add("paymentMethodId", card_id.clone());
        self.add("includeDefaultPaymentMethodId", card_id);
        let balance = self.joepass.0["paymentMethodId"].clone();
        self.add("balanceId", balance.clone());
        self.add("storedValueId", balance);
        let order = consumer.place_order("Latte", &self.store, &self.joepass).await;
        self.add("orderId", order);
        self.add("giftCardId", self.buy_company_card(card).await);
        self.add("usualItemId", self.save_usual_item().await);
        self.add("photoId", self.upload_photo().await);
        self.add("setupIntentId", self.confirm_setup().await);
        let sessions = consumer.get("user/sessions").await;
        self.add("sessionId", sessions.data()["sessions"][0]["sessionId"].clone());
        self.add("deviceId", self.device().await);
        self.add("messageIds", json!([self.message().await]));
        self.add("paymentIntentIds", json!([NO_DEBT]));
        let ids = PERSONAL.iter().filter(|name| **name != "paymentIntentIds");
        let ids: Vec<String> = ids.map(|name| first_text(&self.values[name])).collect();
        self.secrets.extend(ids);
        self.secrets.push(self.completed_order.clone());
    }

    async fn buy_company_card(&self, card: &Tender) -> Value {
        let store = self
            .consumer
            .get(&format!("store/card?storeId={}", self.store.id))
            .await;
        let request = json!({ "companyId": store.data()["companyId"], "amount": 2_500, "payment": card.0,
            "idempotencyKey": Uuid::new_v4() });
        let bought = self.consumer.post("company-gift-card/purchase", request).await;
        bought.data()["balance"]["giftCardId"].clone()
    }

    async fn save_usual_item(&self) -> Value {
        let latte = item(&self.consumer, &self.store, "Latte").await;
        let request = json!({ "storeId": self.store.id.to_string(), "itemId": latte["itemId"],
            "sizeId": latte["sizes"][0]["sizeId"], "choices": [], "note": "", "name": "" });
        let saved = self.consumer.post("item/add-usual-item", request).await;
        saved.data()["usualItemId"].clone()
    }

    async fn upload_photo(&self) -> Value {
        let (content_type, body) = photo_form();
        let path = "/api/consumer/user/photo";
        let saved = self.consumer.open(Method::POST, path, &content_type, body).await;
        let saved: Value = serde_json::from_slice(&saved.bytes().await.unwrap()).unwrap();
        let photo = saved["data"]["photo"]
            .as_str()
            .unwrap_or_else(|| panic!("{saved}"));
        json!(photo.split_once("photoId=").unwrap().1)
    }

    /// Returns the id of a setup intent with a card that is not saved yet.
    async fn confirm_setup(&self) -> Value {
        let secret = self
            .consumer
            .send(Method::POST, "/api/stripe/card/secret", None)
            .await;
        let secret = secret.data()["clientSecret"].as_str().unwrap().to_owned();
        let sandbox = self.consumer.stack.sandbox();
        sandbox.confirm_setup(&secret, "4242424242424242").await;
        json!(secret.split_once("_secret").unwrap().0)
    }

    async fn device(&self) -> Value {
        let mut accounts = self.consumer.stack.database("accounts").await;
        let id: String =
            sqlx::query_scalar("SELECT encode(device_hash, 'hex') FROM devices WHERE consumer_id = $1")
                .bind(self.consumer.id.uuid())
                .fetch_one(&mut accounts)
                .await
                .unwrap();
        json!(id)
    }

    /// Returns the id of the message about the completed order, the last event of this consumer.
    async fn message(&self) -> Value {
        eventually("the points arrive", async || {
            let inbox = self.consumer.get("inbox/list?take=50").await;
            let messages = inbox.data()["messages"].as_array().unwrap().clone();
            let earned = messages.iter().find(|message| message["kind"] == "points_earned");
            earned
                .map(|message| message["messageId"].clone())
                .ok_or("not yet")
        })
        .await
    }

    /// Adds values that are not personal.
    async fn add_other_values(&mut self, card: &Tender) {
        let latte = item(&self.consumer, &self.store, "Latte").await;
        let group = latte["modifications"]
            .as_array()
            .unwrap()
            .iter()
            .find(|group| group["min"] == 0);
        let group = group.unwrap().clone();
        let store_id = self.store.id.to_string();
        let company = self.consumer.get(&format!("store/card?storeId={store_id}")).await;
        let categories = self
            .consumer
            .get(&format!("store/menu/categories?storeId={store_id}"))
            .await;
        let checkout = self.checkout(card).await;
        self.add("storeId", store_id);
        self.add("companyId", company.data()["companyId"].clone());
        self.add("companyName", company.data()["companyName"].clone());
        self.add(
            "categoryId",
            categories.data()["categories"][0]["categoryId"].clone(),
        );
        self.add("itemId", latte["itemId"].clone());
        self.add("sizeId", latte["sizes"][0]["sizeId"].clone());
        self.add("modificationId", group["modificationId"].clone());
        self.add("choiceId", group["choices"][0]["choiceId"].clone());
        self.add("cart", checkout.body["cart"].clone());
        self.add("expectedTotal", checkout.body["expectedTotal"].clone());
        self.add("expectedReadyAt", checkout.body["expectedReadyAt"].clone());
        for (name, value) in [
            ("amount", json!(1_000)),
            ("challengeId", json!("five-orders")),
            ("code", json!("000000")),
            ("day", json!("2030-01-01")),
            ("design", json!("classic")),
            ("firstName", json!("Test")),
            ("lat", json!(34.05)),
            ("lon", json!(-118.24)),
            ("message", json!("Hello.")),
            ("number", json!("0000-0000-0000-0000")),
            ("offerId", json!("first-app-order")),
            ("phone", json!("+12065550100")),
            ("pin", json!("0000")),
            ("quantity", json!(1)),
            ("rating", json!(4)),
            ("readyAt", json!("2030-01-01T10:00:00Z")),
            ("reason", json!("No more cups.")),
            ("term", json!("coffee")),
            ("threshold", json!(1_000)),
            ("type", json!("card")),
            ("urlSlug", json!("welcome")),
        ] {
            self.add(name, value);
        }
    }

    /// Returns a checkout whose cart was not ordered.
    pub(super) async fn checkout(&self, tender: &Tender) -> Checkout {
        self.consumer
            .draft_order("Latte", &self.store, tender)
            .priced()
            .await
    }
}

/// Returns a text, or the first text of a list.
fn first_text(value: &Value) -> String {
    let text = value.as_str().or_else(|| value[0].as_str());
    text.unwrap_or_else(|| panic!("no id: {value}")).to_owned()
}
