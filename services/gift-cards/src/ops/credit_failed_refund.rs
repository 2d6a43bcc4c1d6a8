use jiff::Timestamp;
use kit::{InternalError, outbox};
use sqlx::PgConnection;

use super::publish_balance_changed::publish_balance_changed;
use crate::{
    convert,
    db::{
        accounts::{self, CLOSED_ACCOUNTS, balance_id},
        postings,
    },
    domain::failed_refund::FailedRefund,
};

/// Adds the amount of a failed refund to JoePass. Idempotent by the refund.
pub(crate) async fn credit_failed_refund(
    conn: &mut PgConnection,
    refund: FailedRefund,
    now: Timestamp,
) -> Result<(), InternalError> {
    let account = match refund.consumer_id {
        Some(consumer_id) => accounts::open_joepass(conn, consumer_id, now)
            .await?
            .map(|account| (consumer_id, account)),
        None => None,
    };
    let Some((consumer_id, account)) = account else {
        postings::post_failed_refund(conn, &refund.id, CLOSED_ACCOUNTS, refund.amount, now).await?;
        return Ok(());
    };
    let posted = postings::post_failed_refund(conn, &refund.id, account, refund.amount, now).await?;
    if let Some(after) = posted.to.filter(|_| !posted.is_duplicate) {
        let balance_id = balance_id(account);
        publish_balance_changed(conn, consumer_id, balance_id, after, now).await?;
        let event = convert::refund_credited(&refund, consumer_id, balance_id, after, now);
        outbox::append(conn, event).await?;
    }
    Ok(())
}
