//! A consumer was removed: nothing here may say anything about the person any more.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::effects::{self, Task};
use crate::db::{charges, customers, methods};

/// Detaches the consumer's methods, here and by intent at the provider, and takes the person out of what must stay.
/// The tombstone keeps out what comes late.
///
/// # Errors
/// The database's.
pub async fn forget(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    customers::mark_removed(conn, consumer, now).await?;
    for method in methods::list(conn, consumer).await? {
        methods::detach(conn, consumer, method.id, now).await?;
        effects::plan(conn, Task::Detach(method.id), now).await?;
    }
    methods::anonymise(conn, consumer).await?;
    charges::anonymise(conn, consumer).await
}
