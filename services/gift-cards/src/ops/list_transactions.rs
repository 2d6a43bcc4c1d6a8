use std::collections::HashMap;

use kit::{InternalError, ServiceError};
use ledger::{AccountId, StatementLine};
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, CounterPaymentId, Money, OrderId, Page, PurchaseId, StoreId};

use super::{purchase::balance_unknown, wallet::list_sources};
use crate::{
    GiftCards,
    db::{
        accounts::{account_id, balance_id},
        counter, holds,
    },
    domain::wallet::{BalanceSource, Subject, Transaction, TransactionFilter},
};

#[derive(Debug, thiserror::Error)]
pub enum ListTransactionsError {
    #[error("balance not found")]
    BalanceUnknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(ListTransactionsError);

impl From<ListTransactionsError> for ServiceError {
    fn from(error: ListTransactionsError) -> Self {
        match error {
            ListTransactionsError::BalanceUnknown => balance_unknown().into(),
            ListTransactionsError::Internal(error) => error.into(),
        }
    }
}

/// Returns the transactions of the consumer's balances, newest first, or those of one balance. The amounts of a balance's
/// transactions sum to it.
///
/// # Errors
/// [`ListTransactionsError::BalanceUnknown`] if the consumer has no such balance.
pub async fn list_transactions(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    balance_id: Option<BalanceId>,
    page: Page,
) -> Result<Vec<Transaction>, ListTransactionsError> {
    let mut conn = cx.pool.acquire().await?;
    let mut sources = list_sources(&mut conn, consumer_id).await?;
    if let Some(balance_id) = balance_id {
        sources.retain(|(id, _)| *id == balance_id);
        if sources.is_empty() {
            return Err(ListTransactionsError::BalanceUnknown);
        }
    }
    Ok(read_transactions(&mut conn, sources, TransactionFilter::All, page).await?)
}

/// Returns the transactions of balances, newest first.
pub(super) async fn read_transactions(
    conn: &mut PgConnection,
    sources: Vec<(BalanceId, BalanceSource)>,
    filter: TransactionFilter,
    page: Page,
) -> Result<Vec<Transaction>, InternalError> {
    let accounts: Vec<AccountId> = sources.iter().map(|(id, _)| account_id(*id)).collect();
    let lines = match (accounts.as_slice(), filter) {
        ([], _) => return Ok(Vec::new()),
        // In the order of the line numbers, whatever the clocks of the replicas say.
        ([account], TransactionFilter::All) => ledger::statement(conn, *account, page).await?,
        (_, TransactionFilter::All) => ledger::combined_statement(conn, &accounts, "", page).await?,
        (_, TransactionFilter::Orders) => ledger::combined_statement(conn, &accounts, "order_", page).await?,
    };
    let context = Context::read(conn, sources, &lines).await?;
    lines.into_iter().map(|line| context.transaction(line)).collect()
}

/// What explains the lines of a statement.
struct Context {
    sources: HashMap<BalanceId, BalanceSource>,
    holds: HashMap<OrderId, holds::OrderHold>,
    counter_stores: HashMap<CounterPaymentId, StoreId>,
}

impl Context {
    async fn read(
        conn: &mut PgConnection,
        sources: Vec<(BalanceId, BalanceSource)>,
        lines: &[StatementLine],
    ) -> Result<Self, InternalError> {
        let subjects = |is_included: fn(&str) -> bool| -> Vec<_> {
            let lines = lines.iter().filter(|line| is_included(&line.kind));
            lines.filter_map(|line| line.subject).collect()
        };
        let orders = subjects(|kind| kind.starts_with("order_"));
        let counter_payments = subjects(|kind| kind == "counter_payment");
        Ok(Self {
            sources: sources.into_iter().collect(),
            holds: holds::find_all(conn, &orders).await?,
            counter_stores: if counter_payments.is_empty() {
                HashMap::new()
            } else {
                let stores = counter::stores_of(conn, &counter_payments).await?;
                stores.into_iter().collect()
            },
        })
    }

    fn transaction(&self, line: StatementLine) -> Result<Transaction, InternalError> {
        let balance_id = balance_id(line.account);
        let source = self
            .sources
            .get(&balance_id)
            .cloned()
            .ok_or_else(|| InternalError::invariant_violated("a line of another account"))?;
        Ok(Transaction {
            subject: self.subject(&line),
            id: line.id,
            kind: line.kind,
            amount: Money::usd(line.amount),
            balance_after: Money::usd(line.balance),
            at: line.at,
            title: line.explanation,
            balance_id,
            source,
        })
    }

    fn subject(&self, line: &StatementLine) -> Subject {
        let Some(subject) = line.subject else {
            return Subject::Other;
        };
        match line.kind.as_str() {
            "counter_payment" => Subject::CounterPayment {
                store_id: self
                    .counter_stores
                    .get(&CounterPaymentId::from_uuid(subject))
                    .copied(),
            },
            "top_up" | "gift_card" | "company_card" | "deal_bonus" | "purchase_returned" => {
                Subject::Purchase(PurchaseId::from_uuid(subject))
            }
            kind if kind.starts_with("order_") => {
                let id = OrderId::from_uuid(subject);
                let hold = self.holds.get(&id);
                Subject::Order {
                    id,
                    hold_state: hold.map(|hold| hold.state),
                    store_id: hold.and_then(|hold| hold.store_id),
                }
            }
            _ => Subject::Other,
        }
    }
}
