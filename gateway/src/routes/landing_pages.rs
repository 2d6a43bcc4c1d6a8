//! Landing pages.

use axum::extract::State;
use proto::accounts::v1 as accounts;
use proto::rewards::v1 as rewards;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::landing_page::{InactiveUsersPage, LandingPage, LandingPageQuery};
use crate::types::share_code::{ShareCode, ShareCodeQuery};

/// Returns a landing page.
#[utoipa::path(get, path = "/api/consumer/landing-page/", tag = "landing-pages", params(LandingPageQuery),
    responses((status = 200, body = ApiResponse<LandingPage>)))]
pub(crate) async fn get_landing_page(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<LandingPageQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = rewards::GetLandingPageRequest {
        url_slug: query.url_slug,
    };
    let mut client = gateway.clients.rewards(&context);
    let page = client.get_landing_page(request).await?;
    Ok(PublicResponse::encode(LandingPage::try_from(page.into_inner())?)?)
}

/// Returns the landing page for people who follow a share code.
#[utoipa::path(get, path = "/api/consumer/landing-page/inactive-users/", tag = "landing-pages",
    params(ShareCodeQuery), responses((status = 200, body = ApiResponse<InactiveUsersPage>)))]
pub(crate) async fn get_inactive_users_page(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ShareCodeQuery>,
) -> Result<PublicResponse, ApiError> {
    let mut accounts = gateway.clients.accounts(&context);
    let mut pages = gateway.clients.rewards(&context);
    let mut rewards = pages.clone();
    let (code, page, reward) = tokio::try_join!(
        accounts.get_share_code(accounts::GetShareCodeRequest {
            share_code: query.share_code
        }),
        pages.get_inactive_users_page(rewards::GetInactiveUsersPageRequest {}),
        rewards.get_invitation_reward(rewards::GetInvitationRewardRequest {})
    )?;
    Ok(PublicResponse::encode(InactiveUsersPage {
        page: page.into_inner().try_into()?,
        invitation: ShareCode::new(code.into_inner(), reward.into_inner()),
    })?)
}
