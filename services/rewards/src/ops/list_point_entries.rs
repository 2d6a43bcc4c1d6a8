use kit::InternalError;
use ledger::StatementLine;
use types::{ConsumerId, OrderId, Page};

use crate::{Rewards, db::accounts, domain::points::PointEntry};

/// Returns the consumer's points ledger, newest first. The points of all entries sum to the balance.
pub async fn list_point_entries(
    cx: &Rewards,
    consumer_id: ConsumerId,
    page: Page,
) -> Result<Vec<PointEntry>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let Some(account) = accounts::find_points(&mut conn, consumer_id).await? else {
        return Ok(Vec::new());
    };
    let lines = ledger::statement(&mut conn, account, page).await?;
    Ok(lines.into_iter().map(point_entry).collect())
}

fn point_entry(line: StatementLine) -> PointEntry {
    PointEntry {
        id: line.id,
        points: line.amount,
        balance_after: line.balance,
        title: line.explanation,
        at: line.at,
        order_id: line.subject.map(OrderId::from_uuid),
    }
}
