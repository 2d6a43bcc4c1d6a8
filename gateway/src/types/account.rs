//! Signing in, and who the consumer is.

use proto::accounts::v1 as accounts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::present;
use super::rewards::Points;
use super::wallet::Balance;

/// Asks for a code.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LoginRequest {
    /// As typed; US numbers may omit the country.
    pub phone: String,
}

/// A code is on its way, or would be if the number were ours to send to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginResponse {
    /// The number in E.164, to verify with.
    pub phone: String,
    /// When another code may be asked for.
    pub resend_after_seconds: u32,
    /// How long the code holds.
    pub expires_after_seconds: u32,
}

/// Trades a code for a session.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VerifyRequest {
    /// The number that the code was sent to.
    pub phone: String,
    /// Six digits.
    pub code: String,
}

/// Signed in; the session is in the cookie.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyResponse {
    /// The consumer is new and has not said a name yet.
    pub needs_name: bool,
    /// Who it is.
    pub profile: Profile,
}

/// Says or changes the consumer's name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetNameRequest {
    /// Given name.
    pub first_name: String,
    /// Family name; may be empty.
    #[serde(default)]
    pub last_name: String,
    /// For receipts; unchanged where absent.
    pub email: Option<String>,
}

/// The consumer, as the app keeps it (specification section 3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The consumer's id: the `userId` of other calls.
    pub id: String,
    /// Empty until given.
    pub email: String,
    /// Empty until given.
    pub first_name: String,
    /// Empty until given.
    pub last_name: String,
    /// E.164.
    pub phone: String,
    /// For inviting others.
    pub share_code: String,
    /// Points to spend; null where not asked for, or while rewards are away.
    #[schema(required)]
    pub points: Option<i64>,
}

impl From<accounts::Profile> for Profile {
    fn from(profile: accounts::Profile) -> Self {
        Self {
            id: profile.consumer_id,
            email: profile.email,
            first_name: profile.first_name,
            last_name: profile.last_name,
            phone: profile.phone,
            share_code: profile.share_code,
            points: None,
        }
    }
}

/// The short form: what the shell needs at start.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserInfo {
    /// The consumer's id.
    pub id: String,
    /// Empty until given.
    pub first_name: String,
    /// The consumer has not said a name yet.
    pub needs_name: bool,
    /// When the consumer first signed in.
    #[schema(required, format = DateTime)]
    pub member_since: Option<String>,
}

impl From<accounts::Profile> for UserInfo {
    fn from(profile: accounts::Profile) -> Self {
        Self {
            id: profile.consumer_id,
            needs_name: profile.first_name.is_empty(),
            first_name: profile.first_name,
            member_since: present(profile.created_at),
        }
    }
}

/// The consumer's own page: three services asked at once. What is away is null, and named.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyJoe {
    /// From accounts.
    #[schema(required)]
    pub profile: Option<Profile>,
    /// From rewards.
    #[schema(required)]
    pub points: Option<Points>,
    /// From gift-cards: JoePass first.
    #[schema(required)]
    pub balances: Option<Vec<Balance>>,
    /// The parts that could not be had: "profile", "points", "balances".
    pub unavailable: Vec<String>,
}
