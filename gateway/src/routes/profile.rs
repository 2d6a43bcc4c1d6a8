//! Who the consumer is.

use axum::extract::State;
use proto::accounts::v1 as accounts;
use proto::giftcards::v1 as giftcards;
use proto::rewards::v1 as rewards;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::account::{MyJoe, Profile, SetNameRequest, UserInfo};
use crate::types::wallet::Wallet;

/// The profile that the app keeps, with points where rewards answer.
#[utoipa::path(get, path = "/api/consumer/user/profile", tag = "account", responses((status = 200, body = ApiResponse<Profile>)))]
pub async fn get_profile(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Profile>, ApiError> {
    let (mut accounts, mut rewards) = (
        gateway.clients.accounts(&consumer.call),
        gateway.clients.rewards(&consumer.call),
    );
    let (profile, points) = tokio::join!(
        accounts.get_profile(accounts::GetProfileRequest {}),
        rewards.get_points(rewards::GetPointsRequest {})
    );
    let mut profile = Profile::from(profile?.into_inner());
    profile.points = points.ok().map(|points| points.into_inner().balance);
    Ok(ApiResponse::new(profile))
}

/// What the shell needs at start.
#[utoipa::path(get, path = "/api/consumer/user/info", tag = "account", responses((status = 200, body = ApiResponse<UserInfo>)))]
pub async fn get_user_info(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<UserInfo>, ApiError> {
    let profile = gateway
        .clients
        .accounts(&consumer.call)
        .get_profile(accounts::GetProfileRequest {})
        .await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// Says or changes the name.
#[utoipa::path(post, path = "/api/consumer/user/name", tag = "account",
    request_body = SetNameRequest, responses((status = 200, body = ApiResponse<Profile>)))]
pub async fn set_name(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SetNameRequest>,
) -> Result<ApiResponse<Profile>, ApiError> {
    let request = accounts::SetNameRequest {
        first_name: request.first_name,
        last_name: request.last_name,
        email: request.email,
    };
    let profile = gateway.clients.accounts(&consumer.call).set_name(request).await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// The consumer's own page: three services asked at once, each of which may be away.
#[utoipa::path(get, path = "/api/consumer/user/my-joe", tag = "account", responses((status = 200, body = ApiResponse<MyJoe>)))]
pub async fn get_my_joe(State(gateway): State<Gateway>, consumer: Consumer) -> ApiResponse<MyJoe> {
    let clients = &gateway.clients;
    let (mut accounts, mut rewards) = (clients.accounts(&consumer.call), clients.rewards(&consumer.call));
    let mut gift_cards = clients.gift_cards(&consumer.call);
    let (profile, points, wallet) = tokio::join!(
        accounts.get_profile(accounts::GetProfileRequest {}),
        rewards.get_points(rewards::GetPointsRequest {}),
        gift_cards.get_wallet(giftcards::GetWalletRequest {}),
    );
    let mut unavailable = Vec::new();
    let mut profile = part("profile", profile, &mut unavailable).map(Profile::from);
    let points = part("points", points, &mut unavailable);
    let wallet = part("balances", wallet, &mut unavailable).map(Wallet::from);
    if let Some(profile) = &mut profile {
        profile.points = points.as_ref().map(|points| points.balance);
    }
    ApiResponse::new(MyJoe {
        profile,
        points: points.map(Into::into),
        balances: wallet.map(|wallet| wallet.balances),
        unavailable,
    })
}

fn part<T>(
    name: &str,
    asked: Result<tonic::Response<T>, tonic::Status>,
    unavailable: &mut Vec<String>,
) -> Option<T> {
    match asked {
        Ok(answer) => Some(answer.into_inner()),
        Err(status) => {
            tracing::warn!(part = name, code = ?status.code(), "a part of my-joe is away");
            unavailable.push(name.to_owned());
            None
        }
    }
}
