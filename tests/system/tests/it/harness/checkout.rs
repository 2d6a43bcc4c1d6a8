//! From a cart to an order.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Consumer, Reply, Store, Tender, cents, eventually};

impl Consumer {
    /// Starts an order: `consumer.draft_order("Latte", &store, &card).priced()`.
    pub fn draft_order(&self, item: &str, store: &Store, tender: &Tender) -> OrderDraft {
        OrderDraft::new(self.clone(), item, store, tender)
    }

    /// Places an order and returns its id.
    pub async fn place_order(&self, item: &str, store: &Store, tender: &Tender) -> String {
        let reply = self.draft_order(item, store, tender).priced().await.place().await;
        assert_eq!(reply.order_status(), "Placed", "{}", reply.body);
        reply.order()
    }
}

/// An order before it is priced.
pub struct OrderDraft {
    consumer: Consumer,
    item: String,
    store: Store,
    tender: Tender,
    quantity: i64,
    promo: Option<String>,
}

impl OrderDraft {
    pub fn new(consumer: Consumer, item: &str, store: &Store, tender: &Tender) -> Self {
        let (item, store, tender) = (item.to_owned(), store.clone(), tender.clone());
        Self {
            consumer,
            item,
            store,
            tender,
            quantity: 1,
            promo: None,
        }
    }

    pub fn times(self, quantity: i64) -> Self {
        Self { quantity, ..self }
    }

    pub fn promo(self, code: &str) -> Self {
        Self {
            promo: Some(code.to_owned()),
            ..self
        }
    }

    /// Finds the item on the menu, adds it to a cart and prices the cart, as the app does.
    pub async fn priced(self) -> Checkout {
        let item = item(&self.consumer, &self.store, &self.item).await;
        let sizes = item["sizes"].as_array().unwrap();
        let size = sizes.iter().find(|size| size["isDefault"] == true).unwrap();
        let line = json!({ "lineId": "1", "itemId": item["itemId"], "sizeId": size["sizeId"],
            "quantity": self.quantity, "choices": [], "note": "" });
        let cart = json!({ "cartId": Uuid::new_v4(), "storeId": self.store.id.to_string(), "items": [line],
            "pickup": "counter", "schedule": null, "promo": { "code": self.promo.clone().unwrap_or_default() }, "tipAmount": 0 });
        Checkout::of(self.consumer, cart, &self.tender).await
    }
}

/// Returns an item of a store's menu by its name.
pub async fn item(consumer: &Consumer, store: &Store, name: &str) -> Value {
    let menu = consumer.get(&format!("store/menu?storeId={}", store.id)).await;
    let sections = menu.data()["sections"].as_array().unwrap();
    let mut items = sections
        .iter()
        .flat_map(|section| section["items"].as_array().unwrap());
    let listed = items
        .find(|item| item["name"] == name)
        .unwrap_or_else(|| panic!("no {name} on the menu"));
    let id = listed["itemId"].as_str().unwrap();
    consumer
        .get(&format!("item/details?storeId={}&itemId={id}", store.id))
        .await
        .data()
        .clone()
}

/// The request that the app sends for "Place order".
#[derive(Clone)]
pub struct Checkout {
    pub consumer: Consumer,
    pub body: Value,
}

impl Checkout {
    async fn of(consumer: Consumer, cart: Value, tender: &Tender) -> Self {
        let quote = consumer.post("order/pricing", json!({ "cart": cart })).await;
        let quote = quote.data();
        let body = json!({
            "cart": cart,
            "paymentMethod": tender.0,
            "idempotencyKey": Uuid::new_v4(),
            "expectedTotal": quote["total"],
            "expectedReadyAt": quote["eta"]["readyAt"],
            "pickupName": "Ada",
        });
        Self { consumer, body }
    }

    /// Returns the request with a new idempotency key.
    pub fn with_new_key(&self) -> Self {
        self.with("idempotencyKey", json!(Uuid::new_v4()))
    }

    /// Returns the request with a new cart id and key, because a cart leads to one order only.
    pub fn with_new_cart(&self) -> Self {
        self.with_new_key().with("cart/cartId", json!(Uuid::new_v4()))
    }

    /// Returns the request with one field changed. `path` is a JSON pointer without the first slash.
    pub fn with(&self, path: &str, value: Value) -> Self {
        let mut changed = self.clone();
        *changed.body.pointer_mut(&format!("/{path}")).unwrap() = value;
        changed
    }

    /// Returns the request with an amount of stored value that pays before its payment method.
    pub fn with_stored_value(&self, balance: &Tender, cents: i64) -> Self {
        let mut changed = self.clone();
        changed.body["storedValue"] = json!({
            "paymentMethodId": balance.0["paymentMethodId"],
            "amount": { "currencyAmount": cents, "currencyFraction": 100, "currency": "usd" },
        });
        changed
    }

    /// The confirmed total in cents.
    pub fn total(&self) -> i64 {
        cents(&self.body["expectedTotal"])
    }

    pub async fn place(&self) -> Reply {
        self.consumer.post("order/create", self.body.clone()).await
    }

    /// Retries with the same key while the response is 503, as the app does, and returns the final response.
    pub async fn place_until_final(&self) -> Reply {
        eventually("the key has a final response", async || {
            let reply = self.place().await;
            assert_ne!(reply.status, 500, "{}", reply.body);
            if reply.is_unavailable() {
                Err(reply.body.to_string())
            } else {
                Ok(reply)
            }
        })
        .await
    }
}
