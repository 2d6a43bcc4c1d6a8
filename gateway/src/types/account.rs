//! Sign-in and the consumer's profile.

use proto::accounts::v1 as accounts;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::non_empty;
use super::rewards::Points;
use super::wallet::Balance;

/// Path of the call that returns photos.
const PHOTO_PATH: &str = "/api/consumer/user/profile-photo";

/// Requests a sign-in code.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct LoginRequest {
    /// As typed; US numbers may omit the country code.
    pub(crate) phone: String,
}

/// The same for known and unknown numbers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoginResponse {
    /// The number in E.164, to verify with.
    pub(crate) phone: String,
    /// Seconds until another code can be requested.
    pub(crate) resend_after_seconds: u32,
    /// Seconds until the code expires.
    pub(crate) expires_after_seconds: u32,
}

impl From<accounts::LoginResponse> for LoginResponse {
    fn from(response: accounts::LoginResponse) -> Self {
        Self {
            phone: response.phone,
            resend_after_seconds: response.resend_after_seconds,
            expires_after_seconds: response.expires_after_seconds,
        }
    }
}

/// Exchanges a code for a session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyRequest {
    /// The phone number that received the code.
    pub(crate) phone: String,
    /// Six digits.
    pub(crate) code: String,
    /// Share code of the consumer who invited this one. Has an effect only for a new number.
    #[serde(default)]
    pub(crate) share_code: Option<String>,
}

/// The session itself is in the cookie.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyResponse {
    /// Whether the profile has no name yet.
    pub(crate) needs_name: bool,
    pub(crate) profile: Profile,
}

impl From<accounts::VerifyResponse> for VerifyResponse {
    fn from(response: accounts::VerifyResponse) -> Self {
        Self {
            needs_name: response.needs_name,
            profile: response.profile.unwrap_or_default().into(),
        }
    }
}

/// Sets the consumer's name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetNameRequest {
    pub(crate) first_name: String,
    /// May be empty.
    #[serde(default)]
    pub(crate) last_name: String,
    /// For receipts; unchanged if absent.
    pub(crate) email: Option<String>,
}

/// Verifies the email address with the token of a link.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct VerifyEmailRequest {
    pub(crate) token: String,
}

/// Sends feedback about the app.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SendUserFeedbackRequest {
    pub(crate) message: String,
}

/// The consumer's profile (specification section 3). Fields that the consumer has not given are empty.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Profile {
    /// The consumer's id: the `userId` of other calls.
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    /// E.164.
    pub(crate) phone: String,
    /// Whether the consumer proved that the email address is theirs. Only a verified address gets notifications.
    pub(crate) email_verified: bool,
    /// Code for inviting others.
    pub(crate) share_code: String,
    /// Path of the photo; null without one. It changes with the photo.
    #[schema(required)]
    pub(crate) photo: Option<String>,
    /// Points balance; null if this call does not return it, or rewards is unavailable.
    #[schema(required)]
    pub(crate) points: Option<i64>,
}

impl From<accounts::Profile> for Profile {
    fn from(profile: accounts::Profile) -> Self {
        Self {
            id: profile.consumer_id,
            email: profile.email,
            first_name: profile.first_name,
            last_name: profile.last_name,
            phone: profile.phone,
            email_verified: profile.email_verified,
            share_code: profile.share_code,
            photo: photo_path(&profile.photo_id),
            points: None,
        }
    }
}

fn photo_path(photo_id: &str) -> Option<String> {
    (!photo_id.is_empty()).then(|| format!("{PHOTO_PATH}?photoId={photo_id}"))
}

/// A photo of the consumer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct PhotoQuery {
    pub(crate) photo_id: String,
}

/// The form with which a photo is uploaded.
#[derive(Debug, ToSchema)]
#[expect(
    dead_code,
    reason = "only described in the OpenAPI document; the handler reads the form itself"
)]
pub(crate) struct SetPhotoForm {
    /// A JPEG, PNG or WebP file of up to 8 MiB.
    #[schema(value_type = String, format = Binary)]
    photo: Vec<u8>,
}

/// The part of the profile that the app needs at startup.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserInfo {
    /// The consumer's id.
    pub(crate) id: String,
    /// Empty until given.
    pub(crate) first_name: String,
    /// Whether the profile has no name yet.
    pub(crate) needs_name: bool,
    /// When the consumer first signed in.
    #[schema(required, format = DateTime)]
    pub(crate) member_since: Option<String>,
}

impl From<accounts::Profile> for UserInfo {
    fn from(profile: accounts::Profile) -> Self {
        Self {
            id: profile.consumer_id,
            needs_name: profile.first_name.is_empty(),
            first_name: profile.first_name,
            member_since: non_empty(profile.created_at),
        }
    }
}

/// Profile, points and balances. If a service is unavailable, its part is null and listed in `unavailable`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MyJoe {
    #[schema(required)]
    pub(crate) profile: Option<Profile>,
    #[schema(required)]
    pub(crate) points: Option<Points>,
    /// JoePass first.
    #[schema(required)]
    pub(crate) balances: Option<Vec<Balance>>,
    /// Names of the unavailable parts: "profile", "points", "balances".
    pub(crate) unavailable: Vec<String>,
}
