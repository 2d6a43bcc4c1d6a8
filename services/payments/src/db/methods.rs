//! Payment methods. Detached ones stay for the charges that were made with them, and are not seen here.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, PaymentMethodId};

use super::unreadable;
use crate::domain::method::{Description, Expiry, Method, MethodKind};

struct Row {
    id: PaymentMethodId,
    consumer_id: ConsumerId,
    provider_id: String,
    kind: String,
    institution_name: String,
    last4: String,
    exp_month: Option<i16>,
    exp_year: Option<i16>,
    account_type: String,
    is_default: bool,
    version: i64,
}

impl Row {
    fn read(self) -> Result<Method, sqlx::Error> {
        let kind = MethodKind::from_name(&self.kind).ok_or_else(|| unreadable("kind", &self.kind))?;
        let expiry = self
            .exp_month
            .zip(self.exp_year)
            .map(|(month, year)| Expiry { month, year });
        Ok(Method {
            id: self.id,
            consumer: self.consumer_id,
            description: Description {
                provider_id: self.provider_id,
                kind,
                institution_name: self.institution_name,
                last4: self.last4,
                expiry,
                account_type: self.account_type,
            },
            is_default: self.is_default,
            version: self.version,
        })
    }
}

/// A consumer's methods: the default first, then the newest.
///
/// # Errors
/// The database's.
pub async fn list(conn: &mut PgConnection, consumer: ConsumerId) -> Result<Vec<Method>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, consumer_id, provider_id, kind, institution_name, last4, exp_month, exp_year, account_type,
                is_default, version
         FROM payment_methods WHERE consumer_id = $1 AND detached_at IS NULL
         ORDER BY is_default DESC, id DESC",
        consumer.uuid(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::read).collect()
}

/// One method of a consumer; somebody else's is as good as none.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    id: PaymentMethodId,
) -> Result<Option<Method>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, consumer_id, provider_id, kind, institution_name, last4, exp_month, exp_year, account_type,
                is_default, version
         FROM payment_methods WHERE consumer_id = $1 AND id = $2 AND detached_at IS NULL",
        consumer.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::read).transpose()
}

/// The provider's id of a method, detached or not.
///
/// # Errors
/// The database's.
pub async fn provider_id(
    conn: &mut PgConnection,
    id: PaymentMethodId,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("SELECT provider_id FROM payment_methods WHERE id = $1", id.uuid())
        .fetch_optional(conn)
        .await
}

/// Takes over what the provider says about a method. Returns its id and version if that was news; a method that was
/// detached here stays detached, even while the provider still lists it.
///
/// # Errors
/// The database's.
pub async fn upsert(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    description: &Description,
    at: Timestamp,
) -> Result<Option<(PaymentMethodId, i64)>, sqlx::Error> {
    let row = sqlx::query!(
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
         RETURNING id, version",
        PaymentMethodId::new(at).uuid(),
        consumer.uuid(),
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
    .await?;
    Ok(row.map(|row| (row.id, row.version)))
}

/// Takes the default away from whichever method has it. Returns which that was.
///
/// # Errors
/// The database's.
pub async fn unset_default(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Option<(PaymentMethodId, i64)>, sqlx::Error> {
    let row = sqlx::query!(
        "UPDATE payment_methods SET is_default = false, version = version + 1
         WHERE consumer_id = $1 AND is_default RETURNING id, version",
        consumer.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.id, row.version)))
}

/// Makes a method the default; no other may be. Returns its new version, or none if it is not the consumer's.
///
/// # Errors
/// The database's.
pub async fn set_default(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    id: PaymentMethodId,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE payment_methods SET is_default = true, version = version + 1
         WHERE consumer_id = $1 AND id = $2 AND detached_at IS NULL RETURNING version",
        consumer.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Detaches a method here. Returns its new version, or none if it is not the consumer's or was detached before.
///
/// # Errors
/// The database's.
pub async fn detach(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    id: PaymentMethodId,
    at: Timestamp,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE payment_methods SET detached_at = $3, is_default = false, version = version + 1
         WHERE consumer_id = $1 AND id = $2 AND detached_at IS NULL RETURNING version",
        consumer.uuid(),
        id.uuid(),
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Leaves nothing of a removed consumer's methods that says anything about the person.
///
/// # Errors
/// The database's.
pub async fn anonymise(conn: &mut PgConnection, consumer: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE payment_methods
         SET institution_name = '', last4 = '', account_type = '',
             exp_month = CASE WHEN kind = 'card' THEN 1 END, exp_year = CASE WHEN kind = 'card' THEN 1970 END
         WHERE consumer_id = $1",
        consumer.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
