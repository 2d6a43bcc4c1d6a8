//! A cart on its way to an order.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Consumer, Reply, Store, cents, eventually};

/// What is paid with, as the contract writes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tender(pub Value);

impl Tender {
    pub fn card(method: &str) -> Self {
        Self(json!({ "type": "card", "paymentMethodId": method }))
    }

    pub fn joepass(balance: &str) -> Self {
        Self(json!({ "type": "joebucks", "paymentMethodId": balance }))
    }
}

/// What a consumer would like.
pub struct Wish {
    consumer: Consumer,
    item: String,
    store: Store,
    tender: Tender,
    quantity: i64,
    promo: Option<String>,
}

impl Wish {
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

    /// Looks the item up on the menu, puts it into a cart and has that priced, as the app does.
    pub async fn quoted(self) -> Checkout {
        let item = item(&self.consumer, &self.store, &self.item).await;
        let sizes = item["sizes"].as_array().unwrap();
        let size = sizes.iter().find(|size| size["isDefault"] == true).unwrap();
        let line = json!({ "lineId": "1", "itemId": item["itemId"], "sizeId": size["sizeId"],
            "quantity": self.quantity, "choices": [], "note": "" });
        let cart = json!({ "cartId": Uuid::new_v4(), "storeId": self.store.id.to_string(), "lines": [line],
            "pickup": "counter", "pickupAt": null, "promoCode": self.promo, "tipAmount": 0 });
        Checkout::of(self.consumer, cart, &self.tender).await
    }
}

/// An item of a store's menu, by its name.
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

/// What the app sends when the consumer presses "Place order".
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
            "expectedReadyAt": quote["promise"]["readyAt"],
            "pickupName": "Ada",
        });
        Self { consumer, body }
    }

    /// The same cart with a new key.
    pub fn again(&self) -> Self {
        self.with("idempotencyKey", json!(Uuid::new_v4()))
    }

    /// The same things in a new cart: an order that came to be has used up the other one.
    pub fn anew(&self) -> Self {
        self.again().with("cart/cartId", json!(Uuid::new_v4()))
    }

    /// With one part of the request changed, by its JSON pointer without the first slash.
    pub fn with(&self, path: &str, value: Value) -> Self {
        let mut changed = self.clone();
        *changed.body.pointer_mut(&format!("/{path}")).unwrap() = value;
        changed
    }

    /// What the consumer agreed to, in cents.
    pub fn total(&self) -> i64 {
        cents(&self.body["expectedTotal"])
    }

    pub async fn place(&self) -> Reply {
        self.consumer.post("order/create", self.body.clone()).await
    }

    /// The answer that this key gives in the end, asked for as the app asks: again while somebody is away.
    pub async fn settled(&self) -> Reply {
        eventually("the key gives an answer", async || {
            let reply = self.place().await;
            assert_ne!(reply.status, 500, "{}", reply.body);
            if reply.is_away() {
                Err(reply.body.to_string())
            } else {
                Ok(reply)
            }
        })
        .await
    }
}
