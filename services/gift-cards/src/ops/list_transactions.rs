//! The ledger read back: each line explains itself, and their sum is the balance.

use kit::InternalError;
use ledger::{Line, Unit};
use types::{ConsumerId, OrderId, Page};

use super::books;
use crate::{GiftCards, db};

/// A line, and what its order's hold stands for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The line.
    pub line: Line,
    /// The order that it is about.
    pub order: Option<OrderId>,
    /// `held`, `paid`, `released`, `refunded`; empty where it does not apply.
    pub state: &'static str,
}

/// A consumer's transactions, newest first.
///
/// # Errors
/// [`InternalError`].
pub async fn list_transactions(
    cx: &GiftCards,
    consumer: ConsumerId,
    page: Page,
) -> Result<Vec<Transaction>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let account = ledger::account::find(&mut conn, books::JOEPASS, consumer.uuid(), Unit::Usd).await?;
    let Some(account) = account else {
        return Ok(Vec::new());
    };
    let lines = ledger::lines(&mut conn, account, page).await?;
    let orders: Vec<_> = lines.iter().filter_map(|line| line.subject).collect();
    let states = db::holds::states(&mut conn, &orders).await?;
    let transaction = |line: Line| {
        let order = line.subject.map(OrderId::from_uuid);
        let state = order
            .and_then(|order| states.get(&order))
            .map_or("", |state| wording(state));
        Transaction { line, order, state }
    };
    Ok(lines.into_iter().map(transaction).collect())
}

/// The contract's word for a hold's state.
fn wording(state: &str) -> &'static str {
    match state {
        "held" => "held",
        "captured" => "paid",
        "released" => "released",
        "refunded" => "refunded",
        _ => "",
    }
}
