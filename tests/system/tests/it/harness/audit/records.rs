//! The rows that the audit compares.

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::{FromRow, PgConnection, postgres::PgRow};
use types::OrderId;
use uuid::Uuid;

use super::Databases;

pub struct Records {
    pub orders: BTreeMap<Uuid, Order>,
    pub charges: BTreeMap<Uuid, Charge>,
    pub intents: BTreeMap<Uuid, Intents>,
    pub holds: BTreeMap<Uuid, Hold>,
    pub claims: BTreeMap<Uuid, Claim>,
    pub reservations: BTreeMap<Uuid, Reservation>,
    pub points: BTreeMap<Uuid, Points>,
    /// Ledger postings of gift cards and rewards by order.
    pub value_postings: BTreeMap<Uuid, Postings>,
    pub point_postings: BTreeMap<Uuid, Postings>,
}

#[derive(Debug, FromRow)]
pub struct Order {
    pub id: Uuid,
    pub status: String,
    pub total: i64,
    pub discount: i64,
    pub points: i64,
    pub tender: String,
    /// What stored value pays if the tender pays the rest.
    pub stored_value_amount: i64,
    pub promo_code: String,
    pub version: i64,
    /// Number of rows in its history, and the newest version in it.
    pub changes: i64,
    pub newest_change: i64,
    pub last_status: String,
}

#[derive(Debug, FromRow)]
pub struct Charge {
    pub order_id: Uuid,
    pub amount: Option<i64>,
    pub state: String,
}

/// Amounts of all payment intents of one order at the provider.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Intents {
    pub held: i64,
    pub captured: i64,
    /// Statuses in which the consumer or the provider can still change an amount.
    pub open: Vec<String>,
}

#[derive(Debug, FromRow)]
pub struct Hold {
    pub order_id: Uuid,
    pub state: String,
    pub amount: Option<i64>,
}

#[derive(Debug, FromRow)]
pub struct Claim {
    pub order_id: Uuid,
    pub state: String,
    pub code: Option<String>,
    pub amount: Option<i64>,
}

#[derive(Debug, FromRow)]
pub struct Reservation {
    pub order_id: Uuid,
    pub is_active: bool,
}

#[derive(Debug, FromRow)]
pub struct Points {
    pub order_id: Uuid,
    pub points: i64,
}

/// Sums of the amounts by kind of posting, and the net amount that owners received.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Postings {
    pub by_kind: BTreeMap<String, i64>,
    pub to_owners: i64,
}

impl Order {
    pub fn name(&self) -> String {
        name(self.id)
    }

    /// Returns the amounts that stored value and the provider's charge pay.
    pub fn parts(&self) -> (i64, i64) {
        match self.tender.as_str() {
            "joepass" => (self.total, 0),
            _ => (self.stored_value_amount, self.total - self.stored_value_amount),
        }
    }
}

/// Returns the id as the API shows it.
pub fn name(order: Uuid) -> String {
    OrderId::from_uuid(order).to_string()
}

impl Records {
    pub async fn read(databases: &mut Databases, provider: &Value) -> Self {
        let orders = rows(
            databases.get("ordering"),
            "SELECT id, status, total, discount, points, tender, stored_value_amount, promo_code, version,
                    changes, newest_change, last_status
             FROM orders, LATERAL (
                 SELECT count(*) AS changes, coalesce(max(version), 0) AS newest_change,
                        coalesce((array_agg(order_history.status ORDER BY version DESC))[1], '') AS last_status
                 FROM order_history WHERE order_id = id) AS history",
        );
        let orders: Vec<Order> = orders.await;
        let charges: Vec<Charge> = rows(
            databases.get("payments"),
            "SELECT subject_id AS order_id, amount_minor_units AS amount, state FROM charges WHERE purpose = 'order'",
        )
        .await;
        let holds: Vec<Hold> = rows(
            databases.get("gift-cards"),
            "SELECT order_id, state, amount FROM holds",
        )
        .await;
        let claims: Vec<Claim> = rows(
            databases.get("rewards"),
            "SELECT order_id, state, code, amount FROM claims",
        )
        .await;
        let reservations: Vec<Reservation> = rows(
            databases.get("stores"),
            "SELECT order_id, released_at IS NULL AS is_active FROM reservations",
        )
        .await;
        let points: Vec<Points> = rows(
            databases.get("rewards"),
            "SELECT order_id, points FROM order_points",
        )
        .await;
        Self {
            orders: by_order(orders, |order| order.id),
            charges: by_order(charges, |charge| charge.order_id),
            intents: intents(provider),
            holds: by_order(holds, |hold| hold.order_id),
            claims: by_order(claims, |claim| claim.order_id),
            reservations: by_order(reservations, |reservation| reservation.order_id),
            points: by_order(points, |points| points.order_id),
            value_postings: postings(databases.get("gift-cards")).await,
            point_postings: postings(databases.get("rewards")).await,
        }
    }
}

async fn rows<T>(database: &mut PgConnection, query: &'static str) -> Vec<T>
where
    T: for<'row> FromRow<'row, PgRow> + Send + Unpin,
{
    sqlx::query_as(query).fetch_all(database).await.unwrap()
}

fn by_order<T>(rows: Vec<T>, order: impl Fn(&T) -> Uuid) -> BTreeMap<Uuid, T> {
    rows.into_iter().map(|row| (order(&row), row)).collect()
}

async fn postings(database: &mut PgConnection) -> BTreeMap<Uuid, Postings> {
    let sums: Vec<(Uuid, String, i64, i64)> = rows(
        database,
        "SELECT subject, postings.kind, sum(amount)::bigint,
                sum(CASE WHEN receiver.owner IS NOT NULL THEN amount ELSE -amount END)::bigint
         FROM ledger.postings JOIN ledger.accounts AS receiver ON receiver.id = to_account
         WHERE subject IS NOT NULL AND postings.kind NOT IN ('top_up', 'gift_card', 'company_card', 'deal_bonus',
                                                             'purchase_returned', 'purchase_shortfall', 'counter_payment')
         GROUP BY subject, postings.kind",
    )
    .await;
    let mut by_order: BTreeMap<Uuid, Postings> = BTreeMap::new();
    for (order, kind, amount, to_owners) in sums {
        let postings = by_order.entry(order).or_default();
        postings.by_kind.insert(kind, amount);
        postings.to_owners += to_owners;
    }
    by_order
}

fn intents(provider: &Value) -> BTreeMap<Uuid, Intents> {
    let objects = |kind: &str| provider[kind].as_array().cloned().unwrap_or_default();
    let refunds = objects("refund");
    let mut by_order: BTreeMap<Uuid, Intents> = BTreeMap::new();
    for intent in objects("payment_intent") {
        let Some(order) = intent["metadata"]["order_id"].as_str() else {
            continue;
        };
        let order: OrderId = order.parse().unwrap();
        let refunded: i64 = refunds
            .iter()
            .filter(|refund| refund["payment_intent"] == intent["id"])
            .map(|refund| refund["amount"].as_i64().unwrap())
            .sum();
        let amounts = by_order.entry(order.uuid()).or_default();
        match intent["status"].as_str().unwrap() {
            "requires_capture" => amounts.held += intent["amount_capturable"].as_i64().unwrap(),
            "succeeded" => amounts.captured += intent["amount_received"].as_i64().unwrap() - refunded,
            "canceled" | "requires_payment_method" => {}
            open => amounts.open.push(open.to_owned()),
        }
    }
    by_order
}
