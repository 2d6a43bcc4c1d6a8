//! Valid requests for all calls with limits.

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Limit, put};
use crate::harness::{Checkout, Consumer, Reply, Store, Tender, item, now};

/// Sends valid requests.
pub(super) struct ValidCaller {
    pub(super) consumer: Consumer,
    pub(super) store: Store,
    pub(super) joepass: Tender,
    /// Id of a saved card.
    pub(super) card: String,
}

impl ValidCaller {
    /// Returns a checkout with an optional choice.
    async fn checkout(&self) -> Checkout {
        let latte = item(&self.consumer, &self.store, "Latte").await;
        let choice = optional_choice(&latte);
        let checkout = self
            .consumer
            .draft_order("Latte", &self.store, &self.joepass)
            .priced()
            .await;
        let mut checkout = checkout
            .with_new_cart()
            .with("cart/items/0/choices", json!([choice]));
        let request = json!({ "cart": checkout.body["cart"] });
        let quote = self.consumer.post("order/pricing", request).await;
        checkout.body["expectedTotal"] = quote.data()["total"].clone();
        checkout
    }

    async fn place_order(&self) -> String {
        self.consumer
            .place_order("Latte", &self.store, &self.joepass)
            .await
    }

    /// Returns the path and a valid body of a call.
    pub(super) async fn valid_request(&self, call: &str) -> (String, Value) {
        let path = call.split_once(' ').unwrap().1;
        let candidates = [
            self.order_request(call, path).await,
            self.money_request(call, path).await,
            Self::account_request(call, path),
            self.staff_request(call, path).await,
            self.query(call, path).await,
        ];
        let request = candidates.into_iter().flatten().next();
        request.unwrap_or_else(|| panic!("{call} has limits: add a valid request for it"))
    }

    /// Requests for orders and the items in them.
    async fn order_request(&self, call: &str, path: &str) -> Option<(String, Value)> {
        let body = match call {
            "POST /api/consumer/order/pricing" | "POST /api/consumer/user/save-cart" => {
                json!({ "cart": self.checkout().await.body["cart"] })
            }
            "POST /api/consumer/order/create" => {
                let mut body = self.checkout().await.body;
                body["vehicle"] = json!("A blue van");
                body
            }
            "POST /api/consumer/order/user-arrived" => {
                let order = self.place_order().await;
                json!({ "orderId": order, "vehicle": "A blue van" })
            }
            "POST /api/consumer/item/add-usual-item" => {
                let latte = item(&self.consumer, &self.store, "Latte").await;
                json!({ "storeId": self.store.id.to_string(), "itemId": latte["itemId"],
                    "sizeId": latte["sizes"][0]["sizeId"], "choices": [optional_choice(&latte)], "note": "", "name": "" })
            }
            "POST /api/consumer/analytics/order-feedback" => {
                let order = self.place_order().await;
                self.store.make(&order).await;
                json!({ "orderId": order, "rating": 4, "feedbackOrderReady": 1, "feedbackOrderCorrect": -1,
                    "message": "Great." })
            }
            _ => return None,
        };
        Some((path.to_owned(), body))
    }

    /// Requests that pay or move money.
    async fn money_request(&self, call: &str, path: &str) -> Option<(String, Value)> {
        let body = match call {
            "POST /api/consumer/payment/update-failed-payments" => {
                json!({ "paymentIntentIds": ["dbt_01h455vb4pex5vsknk084sn02q"], "paymentMethodId": self.card,
                    "paymentMethodType": "card" })
            }
            "POST /api/consumer/payment/upload" => {
                json!({ "amount": 1000, "payment": self.payment(), "idempotencyKey": Uuid::new_v4() })
            }
            "POST /api/consumer/gift-card" => {
                json!({ "amount": 1000, "recipient": { "kind": "self", "name": "Ada" }, "design": "classic",
                    "message": "For me.", "payment": self.payment(), "idempotencyKey": Uuid::new_v4() })
            }
            "POST /api/consumer/company-gift-card/purchase" => {
                let store = self
                    .consumer
                    .get(&format!("store/card?storeId={}", self.store.id))
                    .await;
                json!({ "companyId": store.data()["companyId"], "amount": 1000, "payment": self.payment(),
                    "idempotencyKey": Uuid::new_v4() })
            }
            "POST /api/consumer/user/settings/autoReload" => {
                json!({ "enabled": false, "threshold": 1000, "amount": 2500, "paymentMethodId": self.card })
            }
            "POST /store-api/stores/{id}/counter-payments" => {
                let store_id = self.store.id.to_string();
                let pin = self.consumer.get(&format!("user/pin?storeId={store_id}")).await;
                let body =
                    json!({ "pin": pin.data()["pin"], "amount": 100, "idempotencyKey": Uuid::new_v4() });
                return Some((path.replace("{id}", &store_id), body));
            }
            _ => return None,
        };
        Some((path.to_owned(), body))
    }

    /// Requests about the consumer.
    fn account_request(call: &str, path: &str) -> Option<(String, Value)> {
        let body = match call {
            "POST /api/consumer/authentication/verify" => {
                json!({ "phone": "+12065550100", "code": "000000" })
            }
            "POST /api/consumer/analytics/user-feedback" => json!({ "message": "I like the app." }),
            "POST /api/consumer/user/save-settings" => json!({ "vehicle": "A blue van" }),
            "POST /api/consumer/user/name" => json!({ "firstName": "Ada", "lastName": "Test" }),
            "POST /api/consumer/inbox/mark-as-seen" | "POST /api/consumer/inbox/remove" => {
                json!({ "messageIds": ["msg_01h455vb4pex5vsknk084sn02q"] })
            }
            _ => return None,
        };
        Some((path.to_owned(), body))
    }

    /// Requests of the store console.
    async fn staff_request(&self, call: &str, path: &str) -> Option<(String, Value)> {
        Some(match call {
            "POST /store-api/orders/{id}/delay" => {
                let order = self.place_order().await;
                let body = json!({ "minutes": 60, "reason": "No more cups." });
                (path.replace("{id}", &order), body)
            }
            "POST /store-api/orders/{id}/reschedule" => {
                let options = format!("store/pickup-options?storeId={}", self.store.id);
                let options = self.consumer.get(&options).await;
                let slots = options.data()["slots"].as_array().unwrap();
                let (first, other) = (&slots[slots.len() - 1], &slots[slots.len() - 2]);
                let checkout = self.checkout().await.with("cart/schedule", first.clone());
                let placed = checkout.with("expectedReadyAt", first.clone()).place().await;
                let body = json!({ "readyAt": other, "reason": "We close early." });
                (path.replace("{id}", &placed.order()), body)
            }
            "POST /store-api/stores/{id}/special-day" => {
                // Too far ahead for orders.
                let day = now() + SignedDuration::from_hours(24 * 30);
                let day = day.in_tz("UTC").unwrap().date().to_string();
                let body = json!({ "day": day, "name": "Holiday", "openings": [{ "opensMinute": 480, "closesMinute": 900 }] });
                (path.replace("{id}", &self.store.id.to_string()), body)
            }
            "POST /store-api/stores/{id}/baristas" => {
                let day = now() + SignedDuration::from_hours(24 * 10);
                let day = day.in_tz("UTC").unwrap().date().to_string();
                let body = json!({ "baristas": 5, "day": day });
                (path.replace("{id}", &self.store.id.to_string()), body)
            }
            "POST /store-api/stores/{id}/hours" => {
                // Only the first entry is varied, so it is not about today.
                let today = now().in_tz("UTC").unwrap().weekday().to_monday_zero_offset();
                let open_all_day = |days: i8| json!({ "weekday": (today + days) % 7 + 1, "opensMinute": 0, "closesMinute": 1440 });
                let body = json!({ "week": (3..10).map(open_all_day).collect::<Vec<_>>() });
                (path.replace("{id}", &self.store.id.to_string()), body)
            }
            "POST /store-api/orders/{id}/reject" => {
                let order = self.place_order().await;
                (path.replace("{id}", &order), json!({ "reason": "No more cups." }))
            }
            _ => return None,
        })
    }

    /// Requests without a body; their parameters begin with a question mark.
    async fn query(&self, call: &str, path: &str) -> Option<(String, Value)> {
        let body = match call {
            "GET /api/consumer/company-gift-card/history"
            | "GET /api/consumer/company-gift-card/orders"
            | "GET /api/consumer/company-gift-card/uploads"
            | "GET /api/consumer/inbox/list"
            | "GET /api/consumer/user/orders"
            | "GET /api/consumer/user/rewards"
            | "GET /api/consumer/user/transaction-history" => json!({}),
            "GET /store-api/queue"
            | "GET /api/consumer/store/pickup-options"
            | "GET /api/consumer/store/cart-options" => {
                json!({ "?storeId": self.store.id.to_string() })
            }
            "GET /api/consumer/company/stores" => {
                let store = self
                    .consumer
                    .get(&format!("store/card?storeId={}", self.store.id))
                    .await;
                json!({ "?companyId": store.data()["companyId"], "?lat": 44.0, "?lon": -73.0 })
            }
            "GET /api/consumer/store/card" => {
                json!({ "?storeId": self.store.id.to_string(), "?lat": 44.0, "?lon": -73.0 })
            }
            "GET /api/consumer/stores/search" => json!({ "?term": "coffee", "?lat": 44.0, "?lon": -73.0 }),
            "GET /api/consumer/stores/list" | "GET /api/consumer/stores/map" => {
                json!({ "?lat": 44.0, "?lon": -73.0 })
            }

            _ => return None,
        };
        Some((path.to_owned(), body))
    }

    fn payment(&self) -> Value {
        json!({ "type": "card", "paymentMethodId": self.card })
    }

    /// Sends a valid request with one value replaced.
    pub(super) async fn with(&self, limit: &Limit, value: &Value) -> Reply {
        let (path, mut body) = self.valid_request(&limit.call).await;
        put(&mut body, &limit.at, value);
        self.send(&limit.call, &path, &body).await
    }

    pub(super) async fn send(&self, call: &str, path: &str, body: &Value) -> Reply {
        if call.starts_with("GET") {
            let path = format!("{path}?{}", encode_query(body.as_object().unwrap()));
            return match path.strip_prefix("/store-api/") {
                Some(path) => self.store.try_send(Method::GET, path, None).await.unwrap(),
                None => self.consumer.send(Method::GET, &path, None).await,
            };
        }
        match path.strip_prefix("/store-api/") {
            Some(path) => self.store.post(path, Some(body.clone())).await,
            None => {
                self.consumer
                    .send(Method::POST, path, Some(body.to_string()))
                    .await
            }
        }
    }
}

fn optional_choice(item: &Value) -> Value {
    let groups = item["modifications"].as_array().unwrap();
    let group = groups
        .iter()
        .find(|group| group["min"] == 0)
        .expect("an optional choice");
    json!({ "modificationId": group["modificationId"], "choiceId": group["choices"][0]["choiceId"], "quantity": 1 })
}

fn encode_query(query: &Map<String, Value>) -> String {
    let mut encoded = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in query {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        encoded.append_pair(name.trim_start_matches('?'), &value);
    }
    encoded.finish()
}
