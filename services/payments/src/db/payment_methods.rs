//! Payment methods. Detached ones are kept for the charges that used them, and are only read by [`provider_id`].

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{ConsumerId, PaymentMethodId};

use super::unknown_value;
use crate::domain::payment_method::{Expiry, MethodDescription, MethodKind, MethodVersion, PaymentMethod};

struct Row {
    id: PaymentMethodId,
    provider_id: String,
    kind: String,
    institution_name: String,
    last4: String,
    exp_month: Option<i16>,
    exp_year: Option<i16>,
    account_type: String,
    is_default: bool,
    created_at: SqlTimestamp,
}

impl Row {
    fn into_method(self) -> Result<PaymentMethod, sqlx::Error> {
        let kind = MethodKind::from_name(&self.kind).ok_or_else(|| unknown_value("kind", &self.kind))?;
        let expiry = self
            .exp_month
            .zip(self.exp_year)
            .map(|(month, year)| Expiry { month, year });
        Ok(PaymentMethod {
            id: self.id,
            description: MethodDescription {
                provider_id: self.provider_id,
                kind,
                institution_name: self.institution_name,
                last4: self.last4,
                expiry,
                account_type: self.account_type,
            },
            is_default: self.is_default,
            added_at: self.created_at.to_jiff(),
        })
    }
}

/// Lists a consumer's methods: the default first, then the newest.
pub async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Vec<PaymentMethod>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, provider_id, kind, institution_name, last4, exp_month, exp_year, account_type, is_default,
                  created_at AS "created_at: SqlTimestamp"
           FROM payment_methods WHERE consumer_id = $1 AND detached_at IS NULL
           ORDER BY is_default DESC, id DESC"#,
        consumer_id.uuid(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::into_method).collect()
}

/// Finds a method of a consumer. Returns `None` for another consumer's method.
pub async fn find(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
) -> Result<Option<PaymentMethod>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, provider_id, kind, institution_name, last4, exp_month, exp_year, account_type, is_default,
                  created_at AS "created_at: SqlTimestamp"
           FROM payment_methods WHERE consumer_id = $1 AND id = $2 AND detached_at IS NULL"#,
        consumer_id.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_method).transpose()
}

/// Returns the provider's id of a method. Includes detached methods.
pub async fn provider_id(
    conn: &mut PgConnection,
    id: PaymentMethodId,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("SELECT provider_id FROM payment_methods WHERE id = $1", id.uuid())
        .fetch_optional(conn)
        .await
}

/// Inserts or updates a method from the provider's description. Returns its version if it changed. A method that was
/// detached here stays detached while the provider still lists it.
pub async fn upsert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    description: &MethodDescription,
    at: Timestamp,
) -> Result<Option<MethodVersion>, sqlx::Error> {
    sqlx::query_as!(
        MethodVersion,
        "INSERT INTO payment_methods
             (id, consumer_id, provider_id, kind, institution_name, last4, exp_month, exp_year, account_type, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT ON CONSTRAINT payment_methods_provider_id_key DO UPDATE
         SET institution_name = excluded.institution_name, last4 = excluded.last4, exp_month = excluded.exp_month,
             exp_year = excluded.exp_year, account_type = excluded.account_type,
             version = payment_methods.version + 1
         WHERE payment_methods.consumer_id = excluded.consumer_id AND payment_methods.detached_at IS NULL
           AND (payment_methods.institution_name, payment_methods.last4, payment_methods.exp_month,
                payment_methods.exp_year, payment_methods.account_type)
               IS DISTINCT FROM (excluded.institution_name, excluded.last4, excluded.exp_month,
                                 excluded.exp_year, excluded.account_type)
         RETURNING consumer_id, id, version",
        PaymentMethodId::new(at).uuid(),
        consumer_id.uuid(),
        description.provider_id,
        description.kind.as_str(),
        description.institution_name,
        description.last4,
        description.expiry.map(|expiry| expiry.month),
        description.expiry.map(|expiry| expiry.year),
        description.account_type,
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Unsets the consumer's default, and returns the method that was the default.
pub async fn unset_default(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Option<MethodVersion>, sqlx::Error> {
    sqlx::query_as!(
        MethodVersion,
        "UPDATE payment_methods SET is_default = false, version = version + 1
         WHERE consumer_id = $1 AND is_default RETURNING consumer_id, id, version",
        consumer_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Makes a method the default; the consumer must have no other default. Returns `None` if the method does not exist or
/// belongs to another consumer.
pub async fn set_default(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
) -> Result<Option<MethodVersion>, sqlx::Error> {
    sqlx::query_as!(
        MethodVersion,
        "UPDATE payment_methods SET is_default = true, version = version + 1
         WHERE consumer_id = $1 AND id = $2 AND detached_at IS NULL RETURNING consumer_id, id, version",
        consumer_id.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Marks a method as detached. Returns `None` if it does not exist, is detached, or belongs to another consumer.
pub async fn detach(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
    at: Timestamp,
) -> Result<Option<MethodVersion>, sqlx::Error> {
    sqlx::query_as!(
        MethodVersion,
        "UPDATE payment_methods SET detached_at = $3, is_default = false, version = version + 1
         WHERE consumer_id = $1 AND id = $2 AND detached_at IS NULL RETURNING consumer_id, id, version",
        consumer_id.uuid(),
        id.uuid(),
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Erases the personal data in a removed consumer's methods. Constraints require an expiry date of cards.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE payment_methods
         SET institution_name = '', last4 = '', account_type = '',
             exp_month = CASE WHEN kind = 'card' THEN 1 END, exp_year = CASE WHEN kind = 'card' THEN 1970 END
         WHERE consumer_id = $1",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Finds a consumer's method by the provider's id.
pub async fn find_id_by_provider_id(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    provider_id: &str,
) -> Result<Option<PaymentMethodId>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM payment_methods WHERE consumer_id = $1 AND provider_id = $2 AND detached_at IS NULL",
        consumer_id.uuid(),
        provider_id,
    )
    .fetch_optional(conn)
    .await
}
