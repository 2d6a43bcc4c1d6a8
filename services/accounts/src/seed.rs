//! The demo consumer of development: the phone number that the README signs in with.

use jiff::Timestamp;
use sqlx::PgPool;
use types::ConsumerId;
use uuid::Uuid;

use crate::db::consumers;

/// The demo consumer's id, which the seeds of other services name as well.
pub const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));
const DEMO_PHONE: &str = "+14155550100";

/// Adds the demo consumer. Running it again changes nothing.
///
/// # Errors
/// The database's.
pub async fn seed(pool: &PgPool, now: Timestamp) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    if consumers::register(&mut conn, DEMO_CONSUMER, DEMO_PHONE, "MAYAMAYA", now).await? {
        consumers::set_name(
            &mut conn,
            DEMO_CONSUMER,
            "Maya",
            "Torres",
            Some("maya@example.com"),
        )
        .await?;
    }
    tracing::info!("the demo consumer is there");
    Ok(())
}
