//! The consumer's profile.

use axum::extract::State;
use proto::accounts::v1 as accounts;
use proto::giftcards::v1 as giftcards;

use super::rewards::points_request;
use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;
use crate::types::account::{MyJoe, Profile, SetNameRequest, UserInfo, VerifyEmailRequest};
use crate::types::rewards::Points;
use crate::types::wallet::Wallet;

/// Returns the profile, with the points balance if rewards is available.
#[utoipa::path(get, path = "/api/consumer/user/profile", tag = "account",
    responses((status = 200, body = ApiResponse<Profile>)))]
pub(crate) async fn get_profile(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Profile>, ApiError> {
    let mut accounts = gateway.clients.accounts(&consumer.context);
    let mut rewards = gateway.clients.rewards(&consumer.context);
    let (profile, points) = tokio::join!(
        accounts.get_profile(accounts::GetProfileRequest {}),
        rewards.get_points(points_request(&consumer))
    );
    let mut profile = Profile::from(profile?.into_inner());
    profile.points = points.ok().map(|points| points.into_inner().balance);
    Ok(ApiResponse::new(profile))
}

/// Returns the part of the profile that the app needs at startup.
#[utoipa::path(get, path = "/api/consumer/user/info", tag = "account",
    responses((status = 200, body = ApiResponse<UserInfo>)))]
pub(crate) async fn get_user_info(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<UserInfo>, ApiError> {
    let mut client = gateway.clients.accounts(&consumer.context);
    let profile = client.get_profile(accounts::GetProfileRequest {}).await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// Sets the consumer's name. A new email address gets a link that verifies it.
#[utoipa::path(post, path = "/api/consumer/user/name", tag = "account",
    request_body = SetNameRequest, responses((status = 200, body = ApiResponse<Profile>)))]
pub(crate) async fn set_name(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SetNameRequest>,
) -> Result<ApiResponse<Profile>, ApiError> {
    let request = accounts::SetNameRequest {
        first_name: request.first_name,
        last_name: request.last_name,
        email: request.email,
    };
    let mut client = gateway.clients.accounts(&consumer.context);
    let profile = client.set_name(request).await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// Sends a link that verifies the email address of the profile. A verified address is no error; neither is a repeated request within
/// a minute, which sends no further email. Reasons of errors: `EMAIL_MISSING`, `EMAIL_UNAVAILABLE`, `TOO_MANY_EMAILS`.
#[utoipa::path(post, path = "/api/consumer/user/request-email-verification", tag = "account",
    responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn request_email_verification(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let mut client = gateway.clients.accounts(&consumer.context);
    client
        .request_email_verification(accounts::RequestEmailVerificationRequest {})
        .await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}

/// Verifies the email address of the profile with the token of a link. A repeated call succeeds while the link has not expired and
/// the address is the same. Reasons of errors: `EMAIL_TOKEN_INVALID`.
#[utoipa::path(post, path = "/api/consumer/user/verify-email", tag = "account",
    request_body = VerifyEmailRequest, responses((status = 200, body = ApiResponse<Profile>)))]
pub(crate) async fn verify_email(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<VerifyEmailRequest>,
) -> Result<ApiResponse<Profile>, ApiError> {
    let request = accounts::VerifyEmailRequest { token: request.token };
    let mut client = gateway.clients.accounts(&consumer.context);
    let profile = client.verify_email(request).await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// Returns profile, points and balances. If a service is unavailable, its part is null.
#[utoipa::path(get, path = "/api/consumer/user/my-joe", tag = "account",
    responses((status = 200, body = ApiResponse<MyJoe>)))]
pub(crate) async fn get_my_joe(State(gateway): State<Gateway>, consumer: Consumer) -> ApiResponse<MyJoe> {
    let mut accounts = gateway.clients.accounts(&consumer.context);
    let mut rewards = gateway.clients.rewards(&consumer.context);
    let mut gift_cards = gateway.clients.gift_cards(&consumer.context);
    let (profile, points, wallet) = tokio::join!(
        accounts.get_profile(accounts::GetProfileRequest {}),
        rewards.get_points(points_request(&consumer)),
        gift_cards.get_wallet(giftcards::GetWalletRequest {}),
    );
    let wallet = wallet
        .map_err(ApiError::from)
        .and_then(|wallet| Ok(Wallet::try_from(wallet.into_inner())?));

    let mut unavailable = Vec::new();
    let points =
        available("points", points, &mut unavailable).map(|points| Points::from(points.into_inner()));
    let profile = available("profile", profile, &mut unavailable).map(|profile| Profile {
        points: points.as_ref().map(|points| points.balance),
        ..profile.into_inner().into()
    });
    let wallet = available("balances", wallet, &mut unavailable);
    ApiResponse::new(MyJoe {
        profile,
        points,
        balances: wallet.map(|wallet| wallet.balances),
        unavailable,
    })
}

/// Returns the part, or adds its name to the unavailable parts.
fn available<T, E: Into<ApiError>>(
    part: &str,
    result: Result<T, E>,
    unavailable: &mut Vec<String>,
) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            tracing::warn!(part, reason = %error.into().error.reason, "part of my-joe unavailable");
            unavailable.push(part.to_owned());
            None
        }
    }
}
