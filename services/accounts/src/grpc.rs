//! gRPC methods: each decodes, calls one operation and encodes.

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::accounts::v1::{self as pb, accounts_server};
use tonic::Request;

use crate::{
    Accounts, convert,
    ops::{
        end_session, forget_device, get_profile, get_session, list_sessions, login, logout, set_name, verify,
    },
};

#[derive(Debug)]
pub(crate) struct Grpc(pub(crate) Accounts);

/// Allowed callers of the methods without a consumer.
const GATEWAY: &[&str] = &["gateway"];

#[tonic::async_trait]
impl accounts_server::Accounts for Grpc {
    async fn login(&self, request: Request<pb::LoginRequest>) -> GrpcResult<pb::LoginResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        let request = request.into_inner();
        into_grpc(
            login::login(&self.0, &request.phone, &request.device_id)
                .await
                .map(|code| convert::login_response(&code)),
        )
    }

    async fn verify(&self, request: Request<pb::VerifyRequest>) -> GrpcResult<pb::VerifyResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        let command = convert::verify_command(request.into_inner());
        into_grpc(
            verify::verify(&self.0, &command)
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

    async fn list_sessions(&self, request: Request<pb::ListSessionsRequest>) -> GrpcResult<pb::SessionList> {
        let (consumer, session) = Caller::of(&request)?.session()?;
        into_grpc(
            list_sessions::list_sessions(&self.0, consumer)
                .await
                .map(|list| convert::session_list(list, session)),
        )
    }

    async fn end_session(
        &self,
        request: Request<pb::EndSessionRequest>,
    ) -> GrpcResult<pb::EndSessionResponse> {
        let (consumer, session) = Caller::of(&request)?.session()?;
        let id = convert::session_id(&request.get_ref().session_id)?;
        into_grpc(
            end_session::end_session(&self.0, consumer, session, id)
                .await
                .map(|()| pb::EndSessionResponse {}),
        )
    }

    async fn forget_device(
        &self,
        request: Request<pb::ForgetDeviceRequest>,
    ) -> GrpcResult<pb::ForgetDeviceResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let device_hash = convert::device_hash(&request.get_ref().device_id);
        into_grpc(
            forget_device::forget_device(&self.0, consumer, &device_hash)
                .await
                .map(|()| pb::ForgetDeviceResponse {}),
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
