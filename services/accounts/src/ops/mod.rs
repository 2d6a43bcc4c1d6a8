//! Operations, one per file, named after their gRPC methods.

pub mod create_hand_over_code;
pub mod delete_photos;
pub mod end_session;
pub mod exchange_hand_over_code;
pub mod find_recipient;
pub mod forget_device;
pub mod get_photo;
pub mod get_profile;
pub mod get_session;
pub mod get_settings;
pub mod get_share_code;
pub mod list_sessions;
pub mod login;
pub mod logout;
pub mod remove_consumer;
pub mod remove_photo;
pub mod request_email_verification;
pub mod request_notification;
pub mod require_known_device;
pub mod save_push_subscription;
pub mod save_settings;
pub mod set_name;
pub mod set_photo;
mod start_session;
pub mod stop_notifications;
pub mod verify;
pub mod verify_email;
pub mod write_tombstones;

use contacts::Phone;
use kit::{ErrorCode, ServiceError};
use sqlx::PgConnection;

use crate::{
    Accounts,
    db::{challenges, devices, sign_in_data},
    domain::secret::HashPurpose,
};

/// A device id with the hash that is stored of it.
struct DeviceHash(Vec<u8>);

impl DeviceHash {
    /// Returns `None` without a device id.
    fn of(cx: &Accounts, device_id: &str) -> Option<Self> {
        (!device_id.is_empty()).then(|| Self(cx.secret.hash(HashPurpose::Device, device_id)))
    }

    /// Returns the hash if the device signed in to the account before; otherwise an empty one, which all unknown
    /// devices share. A known device has separate codes and limits, so that requests from other devices cannot lock it
    /// out.
    async fn if_known<'a>(
        device: Option<&'a Self>,
        conn: &mut PgConnection,
        phone: &Phone,
    ) -> Result<&'a [u8], sqlx::Error> {
        match device {
            Some(Self(hash)) if devices::is_known(conn, phone.as_str(), hash).await? => Ok(hash),
            _ => Ok(&[]),
        }
    }
}

/// Returns what stands for the phone number of a removed consumer until its limits have passed.
fn pseudonym(cx: &Accounts, phone: &str) -> String {
    hex::encode(cx.secret.hash(HashPurpose::Phone, phone))
}

/// Locks a number until the end of the transaction, so that concurrent calls for it are counted one after another, with the
/// codes and attempts of a consumer who was removed.
async fn lock_phone(cx: &Accounts, conn: &mut PgConnection, phone: &Phone) -> Result<(), sqlx::Error> {
    challenges::lock_phone(conn, phone.as_str()).await?;
    sign_in_data::restore(conn, &pseudonym(cx, phone.as_str()), phone.as_str()).await
}

fn phone_invalid() -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "PHONE_INVALID",
        "Please enter a phone number that can get texts.",
    )
    .with_field("phone")
}

fn consumer_unknown() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "CONSUMER_UNKNOWN",
        "We couldn't find your account.",
    )
}

fn unauthenticated() -> ServiceError {
    ServiceError::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.")
}
