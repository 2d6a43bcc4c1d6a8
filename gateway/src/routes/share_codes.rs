//! Share codes.

use axum::extract::State;
use proto::accounts::v1 as accounts;
use proto::rewards::v1 as rewards;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::share_code::{ShareCode, ShareCodeQuery};

/// Returns who shares a code, and the reward of an invitation.
#[utoipa::path(get, path = "/api/consumer/share-code", tag = "account", params(ShareCodeQuery),
    responses((status = 200, body = ApiResponse<ShareCode>)))]
pub(crate) async fn get_share_code(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ShareCodeQuery>,
) -> Result<ApiResponse<ShareCode>, ApiError> {
    let mut accounts = gateway.clients.accounts(&context);
    let mut rewards = gateway.clients.rewards(&context);
    let (code, reward) = tokio::try_join!(
        accounts.get_share_code(accounts::GetShareCodeRequest {
            share_code: query.share_code
        }),
        rewards.get_invitation_reward(rewards::GetInvitationRewardRequest {})
    )?;
    Ok(ApiResponse::new(ShareCode::new(
        code.into_inner(),
        reward.into_inner(),
    )))
}
