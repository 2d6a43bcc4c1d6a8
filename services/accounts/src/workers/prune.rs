//! Deletes rows that are no longer needed.

use std::time::Duration;

use kit::{InternalError, lifecycle::Process};
use sqlx::PgConnection;

use crate::{Accounts, db::prune};

const INTERVAL: Duration = Duration::from_mins(1);
const BATCH_SIZE: u32 = 1_000;
/// Pause between batches, so that pruning does not delay other statements.
const PAUSE: Duration = Duration::from_millis(50);
const DAY: Duration = Duration::from_hours(24);
/// Longer than the windows of the limits, which count these rows.
const SIGN_IN_RETENTION: Duration = DAY;
/// Ended sessions are kept for support questions.
const SESSION_RETENTION: Duration = DAY.saturating_mul(30);
/// Longer than events are accepted, so that a repeated event is not sent again.
const NOTIFICATION_RETENTION: Duration = DAY.saturating_mul(45);
/// Time since the last sign-in on a device after which it is no longer known, unless it has a session.
const DEVICE_RETENTION: Duration = DAY.saturating_mul(400);

#[derive(Debug, Clone, Copy)]
enum Table {
    CodeAttempts,
    SignInAttempts,
    Challenges,
    ExpiredMessages,
    Sessions,
    Devices,
    HandOverCodes,
    EmailVerifications,
    AnonymizedEmailVerifications,
    ExpiredNotifications,
    Notifications,
    CanceledOrders,
}

impl Table {
    const ALL: [Self; 12] = [
        Self::CodeAttempts,
        Self::SignInAttempts,
        Self::Challenges,
        Self::ExpiredMessages,
        Self::Sessions,
        Self::Devices,
        Self::HandOverCodes,
        Self::EmailVerifications,
        Self::AnonymizedEmailVerifications,
        Self::ExpiredNotifications,
        Self::Notifications,
        Self::CanceledOrders,
    ];

    async fn delete_batch(self, cx: &Accounts, conn: &mut PgConnection) -> Result<u64, sqlx::Error> {
        let (now, limit) = (cx.clock.now(), i64::from(BATCH_SIZE));
        match self {
            Self::CodeAttempts => prune::delete_code_attempts(conn, now - SIGN_IN_RETENTION, limit).await,
            Self::SignInAttempts => {
                prune::delete_sign_in_attempts(conn, now - SIGN_IN_RETENTION, limit).await
            }
            Self::Challenges => prune::delete_challenges(conn, now - SIGN_IN_RETENTION, limit).await,
            Self::ExpiredMessages => {
                let deleted = prune::delete_expired_messages(conn, now, limit).await?;
                if deleted > 0 {
                    tracing::error!(messages = deleted, "messages expired before they were sent");
                }
                Ok(deleted)
            }
            Self::Sessions => prune::delete_sessions(conn, now - SESSION_RETENTION, limit).await,
            Self::Devices => prune::delete_devices(conn, now - DEVICE_RETENTION, limit).await,
            Self::HandOverCodes => prune::delete_hand_over_codes(conn, now, limit).await,
            Self::EmailVerifications => prune::delete_email_verifications(conn, now, limit).await,
            Self::AnonymizedEmailVerifications => {
                prune::delete_anonymized_email_verifications(conn, now, limit).await
            }
            // A repeated event does not add them again, because it has expired as well.
            Self::ExpiredNotifications => {
                let deleted = prune::delete_expired_notifications(conn, now, limit).await?;
                if deleted > 0 {
                    tracing::error!(
                        notifications = deleted,
                        "notifications expired before they were sent"
                    );
                }
                Ok(deleted)
            }
            Self::Notifications => {
                prune::delete_notifications(conn, now - NOTIFICATION_RETENTION, limit).await
            }
            Self::CanceledOrders => {
                prune::delete_canceled_orders(conn, now - NOTIFICATION_RETENTION, limit).await
            }
        }
    }
}

pub(super) async fn run(process: Process, cx: Accounts) {
    loop {
        if let Err(error) = prune_tables(&process, &cx).await {
            tracing::warn!(%error, "prune failed; will retry");
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

/// Deletes batches from each table until a batch is not full.
pub async fn prune_tables(process: &Process, cx: &Accounts) -> Result<(), InternalError> {
    for table in Table::ALL {
        let mut rows = 0;
        loop {
            let mut conn = cx.pool.acquire().await?;
            let deleted = table.delete_batch(cx, &mut conn).await?;
            drop(conn);
            rows += deleted;
            if deleted < u64::from(BATCH_SIZE) || !process.sleep(PAUSE).await {
                break;
            }
        }
        if rows > 0 {
            tracing::info!(rows, table = ?table, "pruned");
        }
    }
    Ok(())
}
