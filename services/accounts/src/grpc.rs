//! gRPC methods: each decodes, calls one operation and encodes.

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::accounts::v1::{self as pb, accounts_server};
use tonic::Request;

use crate::{
    Accounts, convert,
    ops::{get_profile, get_session, login, logout, set_name, verify},
};

#[derive(Debug)]
pub(crate) struct Grpc(pub(crate) Accounts);

/// Allowed callers of the methods without a consumer.
const GATEWAY: &[&str] = &["gateway"];

#[tonic::async_trait]
impl accounts_server::Accounts for Grpc {
    async fn login(&self, request: Request<pb::LoginRequest>) -> GrpcResult<pb::LoginResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        into_grpc(
            login::login(&self.0, &request.get_ref().phone)
                .await
                .map(|code| convert::login_response(&code)),
        )
    }

    async fn verify(&self, request: Request<pb::VerifyRequest>) -> GrpcResult<pb::VerifyResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        let request = request.into_inner();
        into_grpc(
            verify::verify(&self.0, &request.phone, &request.code, &request.device_id)
                .await
                .map(convert::verify_response),
        )
    }

    async fn get_session(&self, request: Request<pb::GetSessionRequest>) -> GrpcResult<pb::Session> {
        Caller::of(&request)?.service(GATEWAY)?;
        into_grpc(
            get_session::get_session(&self.0, &request.get_ref().session_token)
                .await
                .map(|session| convert::session(&session)),
        )
    }

    async fn logout(&self, request: Request<pb::LogoutRequest>) -> GrpcResult<pb::LogoutResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        into_grpc(
            logout::logout(&self.0, &request.get_ref().session_token)
                .await
                .map(|()| pb::LogoutResponse {}),
        )
    }

    async fn get_profile(&self, request: Request<pb::GetProfileRequest>) -> GrpcResult<pb::Profile> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            get_profile::get_profile(&self.0, consumer)
                .await
                .map(convert::profile),
        )
    }

    async fn set_name(&self, request: Request<pb::SetNameRequest>) -> GrpcResult<pb::Profile> {
        let consumer = Caller::of(&request)?.consumer()?;
        let command = convert::set_name(request.into_inner());
        into_grpc(
            set_name::set_name(&self.0, consumer, command)
                .await
                .map(convert::profile),
        )
    }
}
