//! Invariants of every order once all effects are done: it has exactly the charge, hold, claim and capacity that its status
//! requires, and the ledgers balance.

use serde_json::Value;
use types::OrderId;
use uuid::Uuid;

use super::{Consumer, Stack, audit::ledger_findings, eventually};

#[derive(sqlx::FromRow)]
struct Order {
    id: Uuid,
    store_id: Uuid,
    status: String,
    total: i64,
    tender: String,
    /// What stored value pays if the tender pays the rest.
    stored_value_amount: i64,
    promo_code: String,
}

/// The resources that an order must have.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    /// Placed, not accepted: all resources are held.
    Held,
    /// Accepted: the money is captured.
    Captured,
    /// Ended: no resources are held.
    Nothing,
}

impl Order {
    fn expected_resources(&self) -> Result<Expected, String> {
        match self.status.as_str() {
            "scheduled" | "placed" => Ok(Expected::Held),
            "accepted" | "preparing" | "ready" | "completed" => Ok(Expected::Captured),
            "cancelled" | "rejected" | "payment_failed" => Ok(Expected::Nothing),
            other => Err(format!("is {other}")),
        }
    }

    /// Returns the amounts that stored value and the card pay.
    fn parts(&self) -> (i64, i64) {
        match self.tender.as_str() {
            "joepass" => (self.total, 0),
            _ => (self.stored_value_amount, self.total - self.stored_value_amount),
        }
    }

    fn name(&self) -> String {
        OrderId::from_uuid(self.id).to_string()
    }
}

impl Consumer {
    /// Waits until all orders of this consumer are consistent and the ledgers of the whole system balance.
    pub async fn assert_consistent(&self) {
        eventually("all orders are consistent", async || {
            let mut ordering = self.stack.database("ordering").await;
            let orders: Vec<Order> = sqlx::query_as(
                "SELECT id, store_id, status, total, tender, stored_value_amount, promo_code FROM orders WHERE consumer_id = $1",
            )
            .bind(self.id.uuid())
            .fetch_all(&mut ordering)
            .await
            .unwrap();
            for order in &orders {
                check(self.stack, order)
                    .await
                    .map_err(|error| format!("{} ({}): {error}", order.name(), order.status))?;
            }
            ledgers(self.stack).await
        })
        .await;
    }
}

async fn check(stack: &'static Stack, order: &Order) -> Result<(), String> {
    let expected = order.expected_resources()?;
    let intents = stack.sandbox().intents(&order.name()).await;
    if order.tender == "joepass" && !intents.is_empty() {
        return Err(format!("a card was charged for stored value: {intents:?}"));
    }
    hold(stack, order, expected).await?;
    charge(order, expected, &intents)?;
    claim(stack, order, expected).await?;
    capacity(stack, order, expected).await
}

/// Checks that the provider has exactly one active charge of the card's part, or none.
fn charge(order: &Order, expected: Expected, intents: &[Value]) -> Result<(), String> {
    let mut held = 0;
    let mut captured = 0;
    for intent in intents {
        match intent["status"].as_str().unwrap() {
            "requires_capture" => held += intent["amount_capturable"].as_i64().unwrap(),
            "succeeded" => {
                captured +=
                    intent["amount_received"].as_i64().unwrap() - intent["refunded"].as_i64().unwrap();
            }
            // No money was or will be captured.
            "canceled" | "requires_payment_method" => {}
            other => return Err(format!("the provider still has an intent that is {other}")),
        }
    }
    let expected_amounts = match expected {
        Expected::Held => (order.parts().1, 0),
        Expected::Captured => (0, order.parts().1),
        Expected::Nothing => (0, 0),
    };
    if (held, captured) == expected_amounts {
        Ok(())
    } else {
        Err(format!(
            "(held, captured) at the provider is {:?} instead of {expected_amounts:?}",
            (held, captured)
        ))
    }
}

async fn hold(stack: &Stack, order: &Order, expected: Expected) -> Result<(), String> {
    let mut gift_cards = stack.database("gift-cards").await;
    let hold: Option<(String, Option<i64>)> =
        sqlx::query_as("SELECT state, amount FROM holds WHERE order_id = $1")
            .bind(order.id)
            .fetch_optional(&mut gift_cards)
            .await
            .unwrap();
    let (stored, _) = order.parts();
    let is_expected = match (expected, &hold) {
        (Expected::Held, Some((state, amount))) => state == "held" && *amount == Some(stored),
        (Expected::Captured, Some((state, amount))) => state == "captured" && *amount == Some(stored),
        (Expected::Nothing, Some((state, _))) => ["released", "refunded", "closed"].contains(&state.as_str()),
        (Expected::Nothing, None) => true,
        (_, None) => stored == 0,
    };
    if is_expected {
        Ok(())
    } else {
        Err(format!("its hold is {hold:?}"))
    }
}

async fn claim(stack: &Stack, order: &Order, expected: Expected) -> Result<(), String> {
    let mut rewards = stack.database("rewards").await;
    let state: Option<String> = sqlx::query_scalar("SELECT state FROM claims WHERE order_id = $1")
        .bind(order.id)
        .fetch_optional(&mut rewards)
        .await
        .unwrap();
    let claimed = state.as_deref() == Some("claimed");
    let expects_claim = expected != Expected::Nothing && !order.promo_code.is_empty();
    if claimed == expects_claim {
        Ok(())
    } else {
        Err(format!("its claim is {state:?}"))
    }
}

/// Checks the order's reservation, and that the used capacity of the store is the sum of its reservations.
async fn capacity(stack: &Stack, order: &Order, expected: Expected) -> Result<(), String> {
    let mut stores = stack.database("stores").await;
    let reserved: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM reservations WHERE order_id = $1 AND released_at IS NULL)",
    )
    .bind(order.id)
    .fetch_one(&mut stores)
    .await
    .unwrap();
    if reserved != (expected != Expected::Nothing) {
        return Err(format!("has a reservation: {reserved}"));
    }
    let (used, promised): (i64, i64) = sqlx::query_as(
        "SELECT (SELECT coalesce(sum(used_seconds), 0) FROM capacity_slots WHERE store_id = $1),
                (SELECT coalesce(sum(reserved), 0) FROM reservations, unnest(slot_seconds) AS reserved
                 WHERE store_id = $1 AND released_at IS NULL)",
    )
    .bind(order.store_id)
    .fetch_one(&mut stores)
    .await
    .unwrap();
    if used == promised {
        Ok(())
    } else {
        Err(format!("its store has {used} s in use and {promised} s reserved"))
    }
}

impl Stack {
    pub async fn assert_ledgers_balance(&self) {
        ledgers(self).await.unwrap();
    }
}

async fn ledgers(stack: &Stack) -> Result<(), String> {
    for service in ["gift-cards", "rewards"] {
        let findings = ledger_findings(&mut stack.database(service).await).await;
        if let Some(finding) = findings.first() {
            return Err(format!("{service}: {finding}"));
        }
    }
    Ok(())
}
