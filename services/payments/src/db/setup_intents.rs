//! Setup intents of consumers.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, PaymentMethodId};

use super::unknown_value;
use crate::domain::payment_method::MethodKind;
use crate::domain::setup::{BankConsent, Setup};

struct Row {
    provider_id: String,
    kind: String,
}

impl Row {
    fn into_setup(self) -> Result<Setup, sqlx::Error> {
        Ok(Setup {
            kind: MethodKind::from_name(&self.kind).ok_or_else(|| unknown_value("kind", &self.kind))?,
            provider_id: self.provider_id,
        })
    }
}

pub async fn insert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    setup: &Setup,
    consent: Option<&BankConsent>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO setup_intents (provider_id, consumer_id, kind, mandate_text, fee_consent_text, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        setup.provider_id,
        consumer_id.uuid(),
        setup.kind.as_str(),
        consent.map(|consent| consent.mandate_text.as_str()),
        consent.map(|consent| consent.fee_consent_text.as_str()),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts the setup intents that a consumer started since an instant.
pub async fn count_since(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM setup_intents WHERE consumer_id = $1 AND created_at >= $2"#,
        consumer_id.uuid(),
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// Finds a setup intent of a consumer. Returns `None` for another consumer's.
pub async fn find(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    provider_id: &str,
) -> Result<Option<Setup>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        "SELECT provider_id, kind FROM setup_intents WHERE consumer_id = $1 AND provider_id = $2",
        consumer_id.uuid(),
        provider_id,
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_setup).transpose()
}

/// Finds a bank setup intent that is not completed, with the consumer who started it.
pub async fn find_open_of_bank(
    conn: &mut PgConnection,
    provider_id: &str,
) -> Result<Option<(ConsumerId, Setup)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT consumer_id AS "consumer_id: ConsumerId" FROM setup_intents
           WHERE provider_id = $1 AND kind = 'bank' AND completed_at IS NULL"#,
        provider_id,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| {
        let setup = Setup {
            provider_id: provider_id.to_owned(),
            kind: MethodKind::Bank,
        };
        (row.consumer_id, setup)
    }))
}

/// Returns whether a bank setup intent of a consumer was completed since an instant.
pub async fn is_bank_completed_since(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    since: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM setup_intents
                          WHERE consumer_id = $1 AND kind = 'bank' AND completed_at >= $2) AS "is_completed!""#,
        consumer_id.uuid(),
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// Lists up to `limit` bank setup intents of a consumer that are not completed, newest first.
pub async fn list_open_of_banks(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<Setup>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT provider_id, kind FROM setup_intents
         WHERE consumer_id = $1 AND kind = 'bank' AND completed_at IS NULL AND created_at >= $2
         ORDER BY created_at DESC LIMIT $3",
        consumer_id.uuid(),
        since.to_sqlx(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::into_setup).collect()
}

/// Records the method that a setup intent saved, and the provider's mandate, once.
pub async fn complete(
    conn: &mut PgConnection,
    provider_id: &str,
    payment_method_id: PaymentMethodId,
    mandate_id: Option<&str>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE setup_intents SET payment_method_id = $2, provider_mandate_id = $3, completed_at = $4
         WHERE provider_id = $1 AND completed_at IS NULL",
        provider_id,
        payment_method_id.uuid(),
        mandate_id,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
