//! What has to be true of every order once everything has come to rest: who promised to pay has paid once, who got
//! nothing gave nothing, and the ledgers balance.

use serde_json::Value;
use sqlx::{Connection, PgConnection};
use types::OrderId;
use uuid::Uuid;

use super::{Consumer, Stack, eventually};

#[derive(sqlx::FromRow)]
struct Order {
    id: Uuid,
    store_id: Uuid,
    status: String,
    total: i64,
    tender: String,
    promo_code: String,
}

/// What an order is to those who hold something for it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Due {
    /// Placed, and not accepted yet: everything is held.
    Held,
    /// Accepted: paid.
    Taken,
    /// It ended: nothing is held or kept.
    Nothing,
}

impl Order {
    fn due(&self) -> Result<Due, String> {
        match self.status.as_str() {
            "scheduled" | "placed" => Ok(Due::Held),
            "accepted" | "preparing" | "ready" | "completed" => Ok(Due::Taken),
            "cancelled" | "rejected" | "payment_failed" => Ok(Due::Nothing),
            other => Err(format!("is {other}")),
        }
    }

    fn name(&self) -> String {
        OrderId::from_uuid(self.id).to_string()
    }
}

impl Consumer {
    /// Waits until the books of everything that this consumer ordered are right, and those of the whole system balance.
    pub async fn books_balance(&self) {
        eventually("the books balance", async || {
            let mut ordering = self.stack.database("ordering").await;
            let orders: Vec<Order> = sqlx::query_as(
                "SELECT id, store_id, status, total, tender, promo_code FROM orders WHERE consumer_id = $1",
            )
            .bind(self.id.uuid())
            .fetch_all(&mut ordering)
            .await
            .unwrap();
            for order in &orders {
                check(self.stack, order)
                    .await
                    .map_err(|fault| format!("{} ({}): {fault}", order.name(), order.status))?;
            }
            ledgers(self.stack).await
        })
        .await;
    }
}

async fn check(stack: &'static Stack, order: &Order) -> Result<(), String> {
    let due = order.due()?;
    let intents = stack.sandbox().intents(&order.name()).await;
    if order.tender == "joepass" {
        hold(stack, order, due).await?;
        if !intents.is_empty() {
            return Err(format!("a card was charged for stored value: {intents:?}"));
        }
    } else {
        charge(order, due, &intents)?;
    }
    claim(stack, order, due).await?;
    minutes(stack, order, due).await
}

/// Exactly one live charge of the order's amount, or none.
fn charge(order: &Order, due: Due, intents: &[Value]) -> Result<(), String> {
    let mut held = 0;
    let mut taken = 0;
    for intent in intents {
        match intent["status"].as_str().unwrap() {
            "requires_capture" => held += intent["amount_capturable"].as_i64().unwrap(),
            "succeeded" => {
                taken += intent["amount_received"].as_i64().unwrap() - intent["refunded"].as_i64().unwrap()
            }
            // Nothing was or will be taken.
            "canceled" | "requires_payment_method" => {}
            other => return Err(format!("the provider still has an intent that is {other}")),
        }
    }
    let wanted = match due {
        Due::Held => (order.total, 0),
        Due::Taken => (0, order.total),
        Due::Nothing => (0, 0),
    };
    if (held, taken) == wanted {
        Ok(())
    } else {
        Err(format!(
            "(held, taken) at the provider is {:?} instead of {wanted:?}",
            (held, taken)
        ))
    }
}

async fn hold(stack: &Stack, order: &Order, due: Due) -> Result<(), String> {
    let mut gift_cards = stack.database("gift-cards").await;
    let hold: Option<(String, Option<i64>)> =
        sqlx::query_as("SELECT state, amount FROM holds WHERE order_id = $1")
            .bind(order.id)
            .fetch_optional(&mut gift_cards)
            .await
            .unwrap();
    let right = match (due, &hold) {
        (Due::Held, Some((state, amount))) => state == "held" && *amount == Some(order.total),
        (Due::Taken, Some((state, amount))) => state == "captured" && *amount == Some(order.total),
        (Due::Nothing, Some((state, _))) => ["released", "refunded", "closed"].contains(&state.as_str()),
        (Due::Nothing, None) => true,
        (_, None) => order.total == 0,
    };
    if right {
        Ok(())
    } else {
        Err(format!("its hold is {hold:?}"))
    }
}

async fn claim(stack: &Stack, order: &Order, due: Due) -> Result<(), String> {
    let mut rewards = stack.database("rewards").await;
    let state: Option<String> = sqlx::query_scalar("SELECT state FROM claims WHERE order_id = $1")
        .bind(order.id)
        .fetch_optional(&mut rewards)
        .await
        .unwrap();
    let claimed = state.as_deref() == Some("claimed");
    let wanted = due != Due::Nothing && !order.promo_code.is_empty();
    if claimed == wanted {
        Ok(())
    } else {
        Err(format!("its claim is {state:?}"))
    }
}

/// The order's own minutes, and that the store's sums are those of its orders.
async fn minutes(stack: &Stack, order: &Order, due: Due) -> Result<(), String> {
    let mut stores = stack.database("stores").await;
    let reserved: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM reservations WHERE order_id = $1 AND released_at IS NULL)",
    )
    .bind(order.id)
    .fetch_one(&mut stores)
    .await
    .unwrap();
    if reserved != (due != Due::Nothing) {
        return Err(format!("has minutes: {reserved}"));
    }
    let (used, promised): (i64, i64) = sqlx::query_as(
        "SELECT (SELECT coalesce(sum(used_seconds), 0) FROM make_slices WHERE store_id = $1),
                (SELECT coalesce(sum(taken), 0) FROM reservations, unnest(seconds) AS taken
                 WHERE store_id = $1 AND released_at IS NULL)",
    )
    .bind(order.store_id)
    .fetch_one(&mut stores)
    .await
    .unwrap();
    if used == promised {
        Ok(())
    } else {
        Err(format!("its store has {used} s in use and {promised} s promised"))
    }
}

async fn ledgers(stack: &Stack) -> Result<(), String> {
    for service in ["gift-cards", "rewards"] {
        let faults = audit(&mut stack.database(service).await).await;
        if !faults.is_empty() {
            return Err(format!("{service}: {faults:?}"));
        }
    }
    Ok(())
}

async fn audit(database: &mut PgConnection) -> Vec<ledger::Fault> {
    let mut tx = database.begin().await.unwrap();
    sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        .execute(&mut *tx)
        .await
        .unwrap();
    ledger::audit(&mut tx).await.unwrap().faults
}
