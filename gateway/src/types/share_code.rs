//! Share codes, with which consumers invite others.

use proto::accounts::v1 as accounts;
use proto::rewards::v1 as rewards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Selects a share code.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShareCodeQuery {
    /// As typed; not case-sensitive.
    pub(crate) share_code: String,
}

/// A share code and what an invitation is worth, once the friend's first order is completed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShareCode {
    pub(crate) share_code: String,
    /// Of the consumer who shares the code; may be empty.
    pub(crate) first_name: String,
    /// Points for the consumer who shares the code.
    pub(crate) referrer_points: i64,
    /// Points for the invited consumer.
    pub(crate) friend_points: i64,
}

impl ShareCode {
    pub(crate) fn new(code: accounts::ShareCode, reward: rewards::InvitationReward) -> Self {
        Self {
            share_code: code.share_code,
            first_name: code.first_name,
            referrer_points: reward.referrer_points,
            friend_points: reward.friend_points,
        }
    }
}
