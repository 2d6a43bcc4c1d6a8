use kit::InternalError;
use ledger::StatementLine;
use types::{ConsumerId, Money, OrderId, Page};

use crate::{
    GiftCards,
    db::{accounts, holds},
    domain::wallet::Transaction,
};

/// Returns the transactions of the consumer's JoePass, newest first. Their amounts sum to the balance.
pub async fn list_transactions(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    page: Page,
) -> Result<Vec<Transaction>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let Some(account) = accounts::find_joepass(&mut conn, consumer_id).await? else {
        return Ok(Vec::new());
    };
    let lines = ledger::statement(&mut conn, account, page).await?;
    let order_ids: Vec<_> = lines.iter().filter_map(|line| line.subject).collect();
    let states = holds::states(&mut conn, &order_ids).await?;
    let transaction = |line: StatementLine| {
        let order_id = line.subject.map(OrderId::from_uuid);
        Transaction {
            id: line.id,
            kind: line.kind,
            amount: Money::usd(line.amount),
            balance_after: Money::usd(line.balance),
            at: line.at,
            title: line.explanation,
            order_id,
            hold_state: order_id.and_then(|order_id| states.get(&order_id).copied()),
        }
    };
    Ok(lines.into_iter().map(transaction).collect())
}
