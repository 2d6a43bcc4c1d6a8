//! Deletes rows that are no longer needed, at most `limit` at a time. Rows that another replica has locked are skipped.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

/// Defines functions that delete up to `limit` rows from before an instant and return their number.
macro_rules! delete_functions {
    ($($(#[$doc:meta])* $name:ident: $sql:literal;)*) => {$(
        $(#[$doc])*
        pub(crate) async fn $name(
            conn: &mut PgConnection,
            before: Timestamp,
            limit: i64,
        ) -> Result<u64, sqlx::Error> {
            let deleted = sqlx::query!($sql, before.to_sqlx(), limit)
                .execute(conn)
                .await?;
            Ok(deleted.rows_affected())
        }
    )*};
}

delete_functions! {
    delete_code_attempts:
        "DELETE FROM code_attempts WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM code_attempts WHERE attempted_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// This version does not write the table. Replicas of the previous version may still count attempts there.
    delete_sign_in_attempts:
        "DELETE FROM sign_in_attempts WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM sign_in_attempts WHERE window_start < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    delete_challenges:
        "DELETE FROM challenges WHERE id = ANY (ARRAY (
             SELECT id FROM challenges WHERE sent_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// Deletes messages that were not sent in time.
    delete_expired_messages:
        "DELETE FROM messages WHERE id = ANY (ARRAY (
             SELECT id FROM messages WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// Deletes sessions that ended or expired before an instant.
    delete_sessions:
        "DELETE FROM sessions WHERE id = ANY (ARRAY (
             SELECT id FROM sessions WHERE coalesce(ended_at, expires_at) < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// Deletes devices that last signed in before an instant and have no session.
    delete_devices:
        "DELETE FROM devices WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM devices
             WHERE seen_at < $1 AND NOT EXISTS (
                 SELECT 1 FROM sessions
                 WHERE sessions.consumer_id = devices.consumer_id AND sessions.device_hash = devices.device_hash
                    AND sessions.ended_at IS NULL)
             LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// Deletes hand-over codes that have expired.
    delete_hand_over_codes:
        "DELETE FROM hand_over_codes WHERE code_hash = ANY (ARRAY (
             SELECT code_hash FROM hand_over_codes WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// Deletes links that verify an address and have expired.
    delete_email_verifications:
        "DELETE FROM email_verifications WHERE id = ANY (ARRAY (
             SELECT id FROM email_verifications WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    delete_anonymized_email_verifications:
        "DELETE FROM anonymized_email_verifications WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM anonymized_email_verifications WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    /// Deletes notifications that were not sent in time.
    delete_expired_notifications:
        "DELETE FROM notifications WHERE (message_id, channel, target_id) IN (
             SELECT message_id, channel, target_id FROM notifications
             WHERE (state = 'queued' OR (state = 'sending' AND channel = 'push'))
                 AND (leased_until IS NULL OR leased_until < now()) AND expires_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED)";
    delete_canceled_orders:
        "DELETE FROM canceled_orders WHERE order_id = ANY (ARRAY (
             SELECT order_id FROM canceled_orders WHERE canceled_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    delete_notifications:
        "DELETE FROM notifications WHERE (message_id, channel, target_id) IN (
             SELECT message_id, channel, target_id FROM notifications WHERE created_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED)";
}
