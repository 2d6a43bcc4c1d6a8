//! Settings, which are columns of the consumer.

use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::settings::{SaveSettings, Settings};

pub(crate) async fn find(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Option<Settings>, sqlx::Error> {
    sqlx::query_as!(
        Settings,
        "SELECT notify_by_push AS push, notify_by_sms AS sms, notify_by_email AS email, vehicle, time_zone
         FROM consumers WHERE id = $1",
        consumer.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Changes the settings that the command contains. Returns all settings, or `None` if the consumer does not exist.
pub(crate) async fn update(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    command: &SaveSettings,
) -> Result<Option<Settings>, sqlx::Error> {
    sqlx::query_as!(
        Settings,
        "UPDATE consumers SET notify_by_push = coalesce($2, notify_by_push),
             notify_by_sms = coalesce($3, notify_by_sms),
             notify_by_email = coalesce($4, notify_by_email),
             vehicle = coalesce($5, vehicle),
             time_zone = coalesce($6, time_zone)
         WHERE id = $1
         RETURNING notify_by_push AS push, notify_by_sms AS sms, notify_by_email AS email, vehicle,
             time_zone",
        consumer.uuid(),
        command.push,
        command.sms,
        command.email,
        command.vehicle.as_deref(),
        command.time_zone.as_deref(),
    )
    .fetch_optional(conn)
    .await
}

/// How the consumer can be reached, as they last set it.
#[derive(Debug)]
pub(crate) struct Contact {
    pub(crate) push: bool,
    pub(crate) sms: bool,
    pub(crate) email: bool,
    pub(crate) phone: String,
    /// Empty if not given or not verified.
    pub(crate) email_address: String,
    /// Empty if unknown.
    pub(crate) time_zone: String,
}

/// Returns `None` if the consumer was removed. They are not removed until the transaction ends.
pub(crate) async fn find_contact(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Option<Contact>, sqlx::Error> {
    sqlx::query_as!(
        Contact,
        r#"SELECT notify_by_push AS push, notify_by_sms AS sms, notify_by_email AS email, phone,
                  CASE WHEN verified_email = email THEN email ELSE '' END AS "email_address!", time_zone
           FROM consumers WHERE id = $1 FOR KEY SHARE"#,
        consumer.uuid()
    )
    .fetch_optional(conn)
    .await
}
