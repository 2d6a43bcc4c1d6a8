//! Client of the card sandbox and its admin API.

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use types::ConsumerId;

use super::{
    eventually,
    settings::{PUBLISHABLE_KEY, SECRET_KEY},
};

#[derive(Clone)]
pub struct Sandbox {
    origin: String,
    http: Client,
}

impl Sandbox {
    pub fn new(origin: String) -> Self {
        Self {
            origin,
            http: Client::new(),
        }
    }

    /// Confirms a setup intent as the card element of the page does.
    pub async fn confirm_setup(&self, client_secret: &str, number: &str) {
        let id = client_secret.split("_secret").next().unwrap();
        let form = [
            ("client_secret", client_secret),
            ("payment_method_data[type]", "card"),
            ("payment_method_data[card][number]", number),
            ("payment_method_data[card][exp_month]", "12"),
            ("payment_method_data[card][exp_year]", "2040"),
            ("payment_method_data[card][cvc]", "123"),
        ];
        let url = format!("{}/v1/setup_intents/{id}/confirm", self.origin);
        let response = self
            .http
            .post(url)
            .bearer_auth(&*PUBLISHABLE_KEY)
            .form(&form)
            .send()
            .await
            .unwrap();
        let intent: Value = response.json().await.unwrap();
        if intent["status"] == "requires_action" {
            self.authenticate(client_secret, "complete").await;
        } else {
            assert_eq!(intent["status"], "succeeded", "{intent}");
        }
    }

    /// Confirms a setup intent as the provider's dialog for bank accounts does.
    pub async fn confirm_bank_setup(&self, client_secret: &str, account: &str) {
        let id = client_secret.split("_secret").next().unwrap();
        let form = [
            ("client_secret", client_secret),
            ("payment_method_data[type]", "us_bank_account"),
            (
                "payment_method_data[us_bank_account][routing_number]",
                "110000000",
            ),
            ("payment_method_data[us_bank_account][account_number]", account),
            ("payment_method_data[billing_details][name]", "Ada Test"),
        ];
        let intent = self
            .post_form(&format!("setup_intents/{id}/confirm"), &form)
            .await;
        assert_eq!(intent["status"], "succeeded", "{intent}");
    }

    /// Creates a payment method as a wallet does.
    pub async fn create_wallet_method(&self, wallet: &str) -> String {
        let form = [
            ("type", "card"),
            ("card[token]", "tok_visa"),
            ("card[wallet]", wallet),
        ];
        let method = self.post_form("payment_methods", &form).await;
        method["id"].as_str().unwrap().to_owned()
    }

    async fn post_form(&self, path: &str, form: &[(&str, &str)]) -> Value {
        let url = format!("{}/v1/{path}", self.origin);
        let request = self.http.post(url).bearer_auth(&*PUBLISHABLE_KEY).form(form);
        request.send().await.unwrap().json().await.unwrap()
    }

    /// Refunds a part of the payment of an order, as staff do on the provider's dashboard.
    pub async fn refund_part(&self, order: &str, cents: i64) {
        let intents = self.intents(order).await;
        assert_eq!(intents.len(), 1, "{intents:#?}");
        let form = [
            ("payment_intent", intents[0]["id"].as_str().unwrap()),
            ("amount", &cents.to_string()),
        ];
        let url = format!("{}/v1/refunds", self.origin);
        let request = self.http.post(url).bearer_auth(&*SECRET_KEY).form(&form);
        let response = request.send().await.unwrap();
        assert!(
            response.status().is_success(),
            "{}",
            response.text().await.unwrap()
        );
    }

    /// Lets the only refund of an order fail, as if the consumer's bank had not accepted it.
    pub async fn fail_refund(&self, order: &str) {
        let intent = &self.intents(order).await[0];
        let state = self.state().await;
        let refunds = state["refund"].as_array().unwrap();
        let refund = refunds
            .iter()
            .find(|refund| refund["payment_intent"] == intent["id"])
            .unwrap();
        let id = refund["id"].as_str().unwrap();
        self.post(&format!("refunds/{id}/fail"), json!({})).await;
    }

    /// Returns the debit of an order.
    pub async fn return_debit(&self, order: &str) {
        let intents = self.intents(order).await;
        assert_eq!(intents.len(), 1, "{intents:#?}");
        let id = intents[0]["id"].as_str().unwrap();
        self.post(&format!("payment_intents/{id}/return"), json!({}))
            .await;
    }

    /// Returns the cents that a consumer paid for debts.
    pub async fn captured_for_debts(&self, consumer: ConsumerId) -> i64 {
        let state = self.state().await;
        let customer = customer_of(consumer, &state);
        let intents = state["payment_intent"].as_array().cloned().unwrap_or_default();
        intents
            .iter()
            .filter(|intent| intent["customer"] == customer && intent["metadata"]["purpose"] == "debt")
            .map(|intent| intent["amount_received"].as_i64().unwrap())
            .sum()
    }

    /// Answers the authentication dialog with `complete` or `fail`.
    pub async fn authenticate(&self, client_secret: &str, outcome: &str) {
        self.post(
            "authenticate",
            json!({ "client_secret": client_secret, "outcome": outcome }),
        )
        .await;
    }

    /// Does the same, unless the sandbox is unavailable.
    pub async fn try_authenticate(&self, client_secret: &str, outcome: &str) {
        let body = json!({ "client_secret": client_secret, "outcome": outcome });
        let url = format!("{}/sandbox/authenticate", self.origin);
        let _unavailable = self
            .http
            .post(url)
            .timeout(Duration::from_secs(2))
            .json(&body)
            .send()
            .await;
    }

    /// Adds a fault for the next calls.
    pub async fn fault(&self, fault: Value) {
        self.post("faults", fault).await;
    }

    /// Waits until all faults apply to requests that the provider has received.
    pub async fn wait_for_faults(&self) {
        let url = format!("{}/sandbox/faults", self.origin);
        eventually("the provider receives the requests", async || {
            let faults: Value = self.http.get(&url).send().await.unwrap().json().await.unwrap();
            if faults == json!([]) {
                Ok(())
            } else {
                Err(faults.to_string())
            }
        })
        .await;
    }

    /// Removes faults and delivers webhooks.
    pub async fn reset(&self) {
        let url = format!("{}/sandbox/faults", self.origin);
        self.http.delete(url).send().await.unwrap();
        self.post("settings", json!({ "deliver_webhooks": true })).await;
    }

    /// Delivers no webhooks until [`reset`](Self::reset).
    pub async fn hold_webhooks(&self) {
        self.post("settings", json!({ "deliver_webhooks": false })).await;
    }

    /// Expires the hold of an order.
    pub async fn expire_hold(&self, order: &str) {
        let intents = self.intents(order).await;
        assert_eq!(intents.len(), 1, "{intents:#?}");
        let id = intents[0]["id"].as_str().unwrap();
        self.post(&format!("payment_intents/{id}/expire"), json!({}))
            .await;
    }

    /// Deletes the provider customer of a consumer.
    pub async fn delete_customer_of(&self, consumer: ConsumerId) {
        let id = customer_of(consumer, &self.state().await);
        let url = format!("{}/v1/customers/{id}", self.origin);
        let deleted = self
            .http
            .delete(url)
            .bearer_auth(&*SECRET_KEY)
            .send()
            .await
            .unwrap();
        assert!(deleted.status().is_success(), "{}", deleted.status());
    }

    /// Returns the ids of the payment intents of a consumer.
    pub async fn intent_ids_of(&self, consumer: ConsumerId) -> Vec<String> {
        let state = self.state().await;
        let customer = customer_of(consumer, &state);
        let intents = state["payment_intent"].as_array().cloned().unwrap_or_default();
        intents
            .iter()
            .filter(|intent| intent["customer"] == customer)
            .map(|intent| intent["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Returns the status of a payment intent.
    pub async fn intent_status(&self, id: &str) -> String {
        let state = self.state().await;
        let mut intents = state["payment_intent"].as_array().unwrap().iter();
        let intent = intents.find(|intent| intent["id"] == id).unwrap();
        intent["status"].as_str().unwrap().to_owned()
    }

    /// Returns the number of setup intents of a consumer.
    pub async fn setup_intents_of(&self, consumer: ConsumerId) -> usize {
        let state = self.state().await;
        let customer = customer_of(consumer, &state);
        let intents = state["setup_intent"].as_array().unwrap().iter();
        intents.filter(|intent| intent["customer"] == customer).count()
    }

    pub async fn state(&self) -> Value {
        let url = format!("{}/sandbox/state", self.origin);
        self.http.get(url).send().await.unwrap().json().await.unwrap()
    }

    /// Returns the payment intents of an order with their refunded amounts.
    pub async fn intents(&self, order: &str) -> Vec<Value> {
        let state = self.state().await;
        let intents = state["payment_intent"].as_array().cloned().unwrap_or_default();
        let refunded = |intent: &Value| -> i64 {
            let refunds = state["refund"].as_array().cloned().unwrap_or_default();
            let own = refunds
                .iter()
                .filter(|refund| refund["payment_intent"] == intent["id"]);
            own.map(|refund| refund["amount"].as_i64().unwrap()).sum()
        };
        intents
            .into_iter()
            .filter(|intent| intent["metadata"]["order_id"] == order)
            .map(|mut intent| {
                intent["refunded"] = refunded(&intent).into();
                intent
            })
            .collect()
    }

    async fn post(&self, path: &str, body: Value) {
        let response = self
            .http
            .post(format!("{}/sandbox/{path}", self.origin))
            .json(&body)
            .send()
            .await
            .unwrap();
        let status = response.status();
        assert!(
            status.is_success(),
            "{path}: {status} {}",
            response.text().await.unwrap()
        );
    }
}

fn customer_of(consumer: ConsumerId, state: &Value) -> String {
    let mut customers = state["customer"].as_array().unwrap().iter();
    let own = customers.find(|customer| customer["metadata"]["consumer_id"] == consumer.to_string());
    own.expect("a customer")["id"].as_str().unwrap().to_owned()
}
