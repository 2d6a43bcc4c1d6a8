//! The gRPC service of staff sign-in.

use std::sync::Arc;

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::stores::v1::{self as pb, store_staff_server::StoreStaff};
use secrecy::{ExposeSecret, SecretString};
use tonic::Request;

use crate::{
    Stores,
    domain::staff::SignIn,
    ops::{sign_in_staff::sign_in_staff, sign_out_staff::sign_out_staff},
};

#[derive(Debug)]
pub struct StaffGrpc(Arc<Stores>);

impl StaffGrpc {
    #[must_use]
    pub const fn new(cx: Arc<Stores>) -> Self {
        Self(cx)
    }
}

#[tonic::async_trait]
impl StoreStaff for StaffGrpc {
    async fn sign_in_staff(&self, request: Request<pb::SignInStaffRequest>) -> GrpcResult<pb::StaffSession> {
        Caller::of(&request)?.service(&["gateway"])?;
        let message = request.into_inner();
        let sign_in = SignIn {
            store_code: message.store_code,
            pin: SecretString::from(message.pin),
            client_address: message.client_address,
            device_id: SecretString::from(message.device_id),
            known_devices_only: message.known_devices_only,
        };
        into_grpc(
            sign_in_staff(&self.0, sign_in)
                .await
                .map(|(token, session)| pb::StaffSession {
                    token: token.expose_secret().to_owned(),
                    store_id: session.store_id.to_string(),
                    expires_at: session.expires_at.to_string(),
                }),
        )
    }

    async fn sign_out_staff(
        &self,
        request: Request<pb::SignOutStaffRequest>,
    ) -> GrpcResult<pb::SignOutStaffResponse> {
        Caller::of(&request)?.service(&["gateway"])?;
        let token = SecretString::from(request.into_inner().token);
        into_grpc(
            sign_out_staff(&self.0, &token)
                .await
                .map(|()| pb::SignOutStaffResponse {}),
        )
    }
}
