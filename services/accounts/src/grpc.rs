//! gRPC methods: each decodes, calls one operation and encodes.

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::accounts::v1::{self as pb, accounts_server};
use tonic::Request;

use crate::{
    Accounts, convert,
    ops::{
        create_hand_over_code, end_session, exchange_hand_over_code, find_recipient, forget_device,
        get_photo, get_profile, get_session, get_settings, get_share_code, list_sessions, login, logout,
        remove_consumer, remove_photo, request_email_verification,
        require_known_device::require_known_device, save_push_subscription, save_settings, set_name,
        set_photo, stop_notifications, verify, verify_email,
    },
};

#[derive(Debug)]
pub struct Grpc(pub Accounts);

/// Allowed callers of the methods without a consumer.
const GATEWAY: &[&str] = &["gateway"];

#[tonic::async_trait]
impl accounts_server::Accounts for Grpc {
    async fn login(&self, request: Request<pb::LoginRequest>) -> GrpcResult<pb::LoginResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        let request = request.into_inner();
        if request.known_devices_only {
            into_grpc(require_known_device(&self.0, &request.phone, &request.device_id).await)?;
        }
        into_grpc(
            login::login(&self.0, &request.phone, &request.device_id)
                .await
                .map(|code| convert::login_response(&code)),
        )
    }

    async fn verify(&self, request: Request<pb::VerifyRequest>) -> GrpcResult<pb::VerifyResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        let request = request.into_inner();
        if request.known_devices_only {
            into_grpc(require_known_device(&self.0, &request.phone, &request.device_id).await)?;
        }
        let command = convert::verify_command(request);
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

    async fn request_email_verification(
        &self,
        request: Request<pb::RequestEmailVerificationRequest>,
    ) -> GrpcResult<pb::RequestEmailVerificationResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            request_email_verification::request_email_verification(&self.0, consumer)
                .await
                .map(|()| pb::RequestEmailVerificationResponse {}),
        )
    }

    async fn verify_email(&self, request: Request<pb::VerifyEmailRequest>) -> GrpcResult<pb::Profile> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            verify_email::verify_email(&self.0, consumer, &request.get_ref().token)
                .await
                .map(convert::profile),
        )
    }

    async fn find_recipient(
        &self,
        request: Request<pb::FindRecipientRequest>,
    ) -> GrpcResult<pb::FindRecipientResponse> {
        Caller::of(&request)?.service(&["gift-cards"])?;
        let address = convert::recipient_address(request.into_inner())?;
        into_grpc(
            find_recipient::find_recipient(&self.0, &address)
                .await
                .map(convert::find_recipient_response),
        )
    }

    async fn get_share_code(&self, request: Request<pb::GetShareCodeRequest>) -> GrpcResult<pb::ShareCode> {
        Caller::of(&request)?.service(GATEWAY)?;
        into_grpc(
            get_share_code::get_share_code(&self.0, &request.get_ref().share_code)
                .await
                .map(convert::share_code),
        )
    }

    async fn get_settings(&self, request: Request<pb::GetSettingsRequest>) -> GrpcResult<pb::Settings> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            get_settings::get_settings(&self.0, consumer)
                .await
                .map(|settings| convert::settings(settings, &self.0.notifications.push_key)),
        )
    }

    async fn save_settings(&self, request: Request<pb::SaveSettingsRequest>) -> GrpcResult<pb::Settings> {
        let consumer = Caller::of(&request)?.consumer()?;
        let command = convert::save_settings(request.into_inner());
        into_grpc(
            save_settings::save_settings(&self.0, consumer, command)
                .await
                .map(|settings| convert::settings(settings, &self.0.notifications.push_key)),
        )
    }

    async fn save_push_subscription(
        &self,
        request: Request<pb::SavePushSubscriptionRequest>,
    ) -> GrpcResult<pb::SavePushSubscriptionResponse> {
        let (consumer, session) = Caller::of(&request)?.session()?;
        let hosts = &self.0.notifications.push_hosts;
        let subscription = convert::push_subscription(request.into_inner(), hosts)?;
        into_grpc(
            save_push_subscription::save_push_subscription(&self.0, consumer, session, &subscription)
                .await
                .map(|()| pb::SavePushSubscriptionResponse {}),
        )
    }

    async fn stop_notifications(
        &self,
        request: Request<pb::StopNotificationsRequest>,
    ) -> GrpcResult<pb::StopNotificationsResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        into_grpc(
            stop_notifications::stop_notifications(&self.0, &request.get_ref().token)
                .await
                .map(|channel| pb::StopNotificationsResponse {
                    channel: channel.as_str().to_owned(),
                }),
        )
    }

    async fn set_photo(&self, request: Request<pb::SetPhotoRequest>) -> GrpcResult<pb::Profile> {
        let consumer = Caller::of(&request)?.consumer()?;
        let upload = request.into_inner().image;
        into_grpc(
            set_photo::set_photo(&self.0, consumer, upload)
                .await
                .map(convert::profile),
        )
    }

    async fn remove_photo(&self, request: Request<pb::RemovePhotoRequest>) -> GrpcResult<pb::Profile> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            remove_photo::remove_photo(&self.0, consumer)
                .await
                .map(convert::profile),
        )
    }

    async fn get_photo(&self, request: Request<pb::GetPhotoRequest>) -> GrpcResult<pb::Photo> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            get_photo::get_photo(&self.0, consumer, &request.get_ref().photo_id)
                .await
                .map(|image| pb::Photo { image }),
        )
    }

    async fn remove_consumer(
        &self,
        request: Request<pb::RemoveConsumerRequest>,
    ) -> GrpcResult<pb::RemoveConsumerResponse> {
        let (consumer, session) = Caller::of(&request)?.session()?;
        into_grpc(
            remove_consumer::remove_consumer(&self.0, consumer, session)
                .await
                .map(|()| pb::RemoveConsumerResponse {}),
        )
    }

    async fn create_hand_over_code(
        &self,
        request: Request<pb::CreateHandOverCodeRequest>,
    ) -> GrpcResult<pb::HandOverCode> {
        let (_, session) = Caller::of(&request)?.session()?;
        let app_key = &request.get_ref().app_key;
        into_grpc(
            create_hand_over_code::create_hand_over_code(&self.0, session, app_key)
                .await
                .map(convert::hand_over_code),
        )
    }

    async fn exchange_hand_over_code(
        &self,
        request: Request<pb::ExchangeHandOverCodeRequest>,
    ) -> GrpcResult<pb::VerifyResponse> {
        Caller::of(&request)?.service(GATEWAY)?;
        let command = convert::exchange_hand_over_code(request.into_inner())?;
        into_grpc(
            exchange_hand_over_code::exchange_hand_over_code(&self.0, &command)
                .await
                .map(convert::verify_response),
        )
    }
}
