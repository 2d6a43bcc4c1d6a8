//! Demo data for development.

use jiff::Timestamp;
use sqlx::PgPool;
use types::ConsumerId;
use uuid::Uuid;

use crate::db::{consumers, email_verifications};

/// Also used by the seeds of other services.
const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));
/// The phone number in the README's sign-in example.
const DEMO_PHONE: &str = "+14155550100";

/// Adds the demo consumer. Idempotent.
pub(crate) async fn seed(pool: &PgPool, now: Timestamp) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    let is_new = consumers::insert(&mut conn, DEMO_CONSUMER, DEMO_PHONE, "MAYAMAYA", now).await?;
    if is_new {
        consumers::set_name(
            &mut conn,
            DEMO_CONSUMER,
            "Maya",
            "Torres",
            Some("maya@example.com"),
        )
        .await?;
        email_verifications::mark_verified(&mut conn, DEMO_CONSUMER, "maya@example.com", now).await?;
    }
    tracing::info!(is_new, "seeded the demo consumer");
    Ok(())
}
