//! Each purchase of stored value is paid once and issued once, or neither, and each debt is paid at most once. Bank debits are left
//! out: they settle or are returned days later.

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::FromRow;
use types::{DebtId, PurchaseId, RecoveryId};
use uuid::Uuid;

use super::{Databases, Finding};

#[derive(Debug, FromRow)]
struct Purchase {
    id: Uuid,
    state: String,
    amount: i64,
    /// Posted from the money that purchases brought, account 5.
    issued: i64,
}

#[derive(Debug, FromRow)]
struct Debt {
    id: Uuid,
    total: i64,
    is_recovered: bool,
    recoveries: Vec<Uuid>,
}

/// Money of payment intents at the provider.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Money {
    captured: i64,
    /// Held, or waiting for the consumer or the provider.
    open: i64,
}

pub async fn check(databases: &mut Databases, provider: &Value) -> Vec<Finding> {
    let mut findings = purchases(databases, provider).await;
    findings.extend(debts(databases, provider).await);
    findings
}

async fn purchases(databases: &mut Databases, provider: &Value) -> Vec<Finding> {
    let query = format!(
        "SELECT id, state, amount, (SELECT coalesce(sum(amount), 0)::bigint FROM ledger.postings
                                    WHERE subject = purchases.id AND from_account = '{}') AS issued
         FROM purchases WHERE tender <> 'bank'",
        Uuid::from_u128(5)
    );
    let purchases: Vec<Purchase> = sqlx::query_as(sqlx::AssertSqlSafe(query))
        .fetch_all(databases.get("gift-cards"))
        .await
        .unwrap();
    let paid = money_by(provider, "purchase_id");
    let mut findings = Vec::new();
    for purchase in purchases {
        let name = PurchaseId::from_uuid(purchase.id).to_string();
        let expected = match purchase.state.as_str() {
            "completed" => purchase.amount,
            "failed" => 0,
            open => {
                findings.push(Finding::new("a purchase ends", &name, open));
                continue;
            }
        };
        let money = paid.get(&name).copied().unwrap_or_default();
        let is_met = (purchase.issued, money)
            == (
                expected,
                Money {
                    captured: expected,
                    open: 0,
                },
            );
        if !is_met {
            let detail = format!("{purchase:?}, {money:?}");
            findings.push(Finding::new(
                "a purchase is paid once and issued once, or neither",
                &name,
                detail,
            ));
        }
    }
    findings
}

async fn debts(databases: &mut Databases, provider: &Value) -> Vec<Finding> {
    let debts: Vec<Debt> = sqlx::query_as(
        "SELECT debts.id, amount_minor_units + penalty_fee_minor_units AS total,
                recovered_at IS NOT NULL AS is_recovered,
                coalesce(array_agg(debt_recoveries.id) FILTER (WHERE debt_recoveries.id IS NOT NULL), '{}') AS recoveries
         FROM debts LEFT JOIN debt_recoveries ON debt_id = debts.id GROUP BY debts.id",
    )
    .fetch_all(databases.get("payments"))
    .await
    .unwrap();
    let paid = money_by(provider, "recovery_id");
    let differs = |debt: &&Debt| {
        let captured: i64 = debt
            .recoveries
            .iter()
            .filter_map(|id| paid.get(&RecoveryId::from_uuid(*id).to_string()))
            .map(|money| money.captured)
            .sum();
        captured != if debt.is_recovered { debt.total } else { 0 }
    };
    debts
        .iter()
        .filter(differs)
        .map(|debt| {
            Finding::new(
                "a debt is paid once",
                DebtId::from_uuid(debt.id),
                format!("{debt:?}"),
            )
        })
        .collect()
}

/// Sums the money of the payment intents with this id in their metadata, by the id.
fn money_by(provider: &Value, id: &str) -> BTreeMap<String, Money> {
    let objects = |kind: &str| provider[kind].as_array().cloned().unwrap_or_default();
    let refunds = objects("refund");
    let mut by_id: BTreeMap<String, Money> = BTreeMap::new();
    for intent in objects("payment_intent") {
        let Some(id) = intent["metadata"][id].as_str() else {
            continue;
        };
        let refunded: i64 = refunds
            .iter()
            .filter(|refund| refund["payment_intent"] == intent["id"])
            .map(|refund| refund["amount"].as_i64().unwrap())
            .sum();
        let money = by_id.entry(id.to_owned()).or_default();
        match intent["status"].as_str().unwrap() {
            "succeeded" => money.captured += intent["amount_received"].as_i64().unwrap() - refunded,
            "canceled" | "requires_payment_method" => {}
            _ => money.open += intent["amount"].as_i64().unwrap(),
        }
    }
    by_id
}
