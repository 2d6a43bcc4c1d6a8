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
        "SELECT notify_by_push AS push, notify_by_sms AS sms, notify_by_email AS email, vehicle
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
             vehicle = coalesce($5, vehicle)
         WHERE id = $1
         RETURNING notify_by_push AS push, notify_by_sms AS sms, notify_by_email AS email, vehicle",
        consumer.uuid(),
        command.push,
        command.sms,
        command.email,
        command.vehicle.as_deref(),
    )
    .fetch_optional(conn)
    .await
}
