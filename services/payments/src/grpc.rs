//! The gRPC service: decodes a request, calls one operation, encodes the response.

use callers::Caller;
use kit::{
    grpc::{GrpcResult, into_grpc},
    parse_id,
};
use proto::payments::v1 as pb;
use proto::payments::v1::payments_server;
use tonic::{Request, Response};

use crate::domain::subject::ChargeSubject;
use crate::ops::add_bank_account::add_bank_account;
use crate::ops::add_card::add_card;
use crate::ops::authorize_charge::authorize_charge;
use crate::ops::check_debts::check_debts;
use crate::ops::close_charge::close_charge;
use crate::ops::create_bank_session::create_bank_session;
use crate::ops::create_setup_intent::create_setup_intent;
use crate::ops::delete_payment_method::delete_payment_method;
use crate::ops::get_payment_method::get_payment_method;
use crate::ops::get_publishable_key::get_publishable_key;
use crate::ops::list_charges::list_charges;
use crate::ops::list_failed_payments::list_failed_payments;
use crate::ops::list_payment_methods::list_payment_methods;
use crate::ops::receive_provider_event::receive_provider_event;
use crate::ops::recover_failed_payments::recover_failed_payments;
use crate::ops::refresh_charge::refresh_charge;
use crate::ops::refund_charge::refund_charge;
use crate::ops::save_payment_method::save_payment_method;
use crate::ops::set_default_payment_method::set_default_payment_method;
use crate::ops::unset_default_payment_method::unset_default_payment_method;
use crate::{Payments, convert};

/// Services that may call the methods for charges.
const CHARGE_CALLERS: &[&str] = &["ordering", "gift-cards"];
/// Services that may forward webhooks of the provider.
const WEBHOOK_CALLERS: &[&str] = &["gateway"];

/// Serves the gRPC methods.
#[derive(Debug, Clone)]
pub struct Grpc(pub Payments);

#[tonic::async_trait]
impl payments_server::Payments for Grpc {
    async fn list_payment_methods(
        &self,
        request: Request<pb::ListPaymentMethodsRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let preferred = match request.get_ref().include_default_payment_method_id.as_str() {
            "" => None,
            id => Some(parse_id(id, "includeDefaultPaymentMethodId")?),
        };
        let methods = list_payment_methods(&self.0, consumer, preferred).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn get_payment_method(
        &self,
        request: Request<pb::GetPaymentMethodRequest>,
    ) -> GrpcResult<pb::PaymentMethod> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = parse_id(&request.get_ref().payment_method_id, "paymentMethodId")?;
        let method = get_payment_method(&self.0, consumer, id).await;
        into_grpc(method.map(|method| convert::payment_method(&method, self.0.clock.now())))
    }

    async fn create_setup_intent(
        &self,
        request: Request<pb::CreateSetupIntentRequest>,
    ) -> GrpcResult<pb::SetupIntent> {
        let consumer = Caller::of(&request)?.consumer()?;
        let secret = create_setup_intent(&self.0, consumer).await;
        into_grpc(secret.map(|secret| convert::setup_intent(&secret)))
    }

    async fn get_publishable_key(
        &self,
        request: Request<pb::GetPublishableKeyRequest>,
    ) -> GrpcResult<pb::PublishableKey> {
        Caller::of(&request)?.consumer()?;
        let publishable_key = get_publishable_key(&self.0);
        Ok(Response::new(pb::PublishableKey { publishable_key }))
    }

    async fn add_card(
        &self,
        request: Request<pb::AddCardRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let methods = add_card(&self.0, consumer).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn save_payment_method(
        &self,
        request: Request<pb::SavePaymentMethodRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let pb::SavePaymentMethodRequest {
            setup_intent_id,
            is_default,
        } = request.get_ref();
        let methods = save_payment_method(&self.0, consumer, setup_intent_id, *is_default).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn create_bank_session(
        &self,
        request: Request<pb::CreateBankSessionRequest>,
    ) -> GrpcResult<pb::BankSession> {
        let consumer = Caller::of(&request)?.consumer()?;
        let session = create_bank_session(&self.0, consumer).await;
        into_grpc(session.map(|session| convert::bank_session(&session)))
    }

    async fn add_bank_account(
        &self,
        request: Request<pb::AddBankAccountRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let methods = add_bank_account(&self.0, consumer).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn delete_payment_method(
        &self,
        request: Request<pb::DeletePaymentMethodRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = parse_id(&request.get_ref().payment_method_id, "paymentMethodId")?;
        let methods = delete_payment_method(&self.0, consumer, id).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn set_default_payment_method(
        &self,
        request: Request<pb::SetDefaultPaymentMethodRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = parse_id(&request.get_ref().payment_method_id, "paymentMethodId")?;
        let methods = set_default_payment_method(&self.0, consumer, id).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn unset_default_payment_method(
        &self,
        request: Request<pb::UnsetDefaultPaymentMethodRequest>,
    ) -> GrpcResult<pb::ListPaymentMethodsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let methods = unset_default_payment_method(&self.0, consumer).await;
        into_grpc(methods.map(|methods| convert::payment_methods(&methods, self.0.clock.now())))
    }

    async fn authorize_charge(&self, request: Request<pb::AuthorizeChargeRequest>) -> GrpcResult<pb::Charge> {
        Caller::of(&request)?.service(CHARGE_CALLERS)?;
        let command = convert::authorize_charge(request.get_ref())?;
        record_subject(command.subject);
        let snapshot = authorize_charge(&self.0, command).await;
        into_grpc(snapshot.map(|snapshot| convert::charge_snapshot(&snapshot)))
    }

    async fn refresh_charge(&self, request: Request<pb::RefreshChargeRequest>) -> GrpcResult<pb::Charge> {
        Caller::of(&request)?.service(CHARGE_CALLERS)?;
        let subject = convert::charge_subject(request.get_ref().subject.as_ref())?;
        record_subject(subject);
        let snapshot = refresh_charge(&self.0, subject).await;
        into_grpc(snapshot.map(|snapshot| convert::charge_snapshot(&snapshot)))
    }

    async fn close_charge(&self, request: Request<pb::CloseChargeRequest>) -> GrpcResult<pb::Charge> {
        Caller::of(&request)?.service(CHARGE_CALLERS)?;
        let subject = convert::charge_subject(request.get_ref().subject.as_ref())?;
        record_subject(subject);
        let charge = close_charge(&self.0, subject).await;
        into_grpc(charge.map(|charge| convert::charge(&charge)))
    }

    async fn refund_charge(&self, request: Request<pb::RefundChargeRequest>) -> GrpcResult<pb::Charge> {
        Caller::of(&request)?.service(CHARGE_CALLERS)?;
        let command = convert::refund_charge(request.into_inner())?;
        record_subject(command.subject);
        let charge = refund_charge(&self.0, command).await;
        into_grpc(charge.map(|charge| convert::charge(&charge)))
    }

    async fn list_failed_payments(
        &self,
        request: Request<pb::ListFailedPaymentsRequest>,
    ) -> GrpcResult<pb::ListFailedPaymentsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let payments = list_failed_payments(&self.0, consumer).await;
        into_grpc(payments.map(|payments| convert::failed_payments(&payments)))
    }

    async fn recover_failed_payments(
        &self,
        request: Request<pb::RecoverFailedPaymentsRequest>,
    ) -> GrpcResult<pb::RecoverFailedPaymentsResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let command = convert::recover_failed_payments(consumer, request.get_ref())?;
        let recovered = recover_failed_payments(&self.0, &command).await;
        into_grpc(recovered.map(|recovered| convert::recovered_payments(&recovered)))
    }

    async fn check_debts(
        &self,
        request: Request<pb::CheckDebtsRequest>,
    ) -> GrpcResult<pb::CheckDebtsResponse> {
        Caller::of(&request)?.service(CHARGE_CALLERS)?;
        let consumer_id = parse_id(&request.get_ref().consumer_id, "consumerId")?;
        let has_debts = check_debts(&self.0, consumer_id).await;
        into_grpc(has_debts.map(|has_debts| pb::CheckDebtsResponse { has_debts }))
    }

    async fn list_charges(
        &self,
        request: Request<pb::ListChargesRequest>,
    ) -> GrpcResult<pb::ListChargesResponse> {
        Caller::of(&request)?.service(CHARGE_CALLERS)?;
        let request = convert::list_charges(request.get_ref())?;
        let charges = list_charges(&self.0, &request).await;
        into_grpc(charges.map(|charges| pb::ListChargesResponse {
            charges: charges.iter().map(convert::listed_charge).collect(),
        }))
    }

    async fn receive_provider_event(
        &self,
        request: Request<pb::ReceiveProviderEventRequest>,
    ) -> GrpcResult<pb::ReceiveProviderEventResponse> {
        Caller::of(&request)?.service(WEBHOOK_CALLERS)?;
        let pb::ReceiveProviderEventRequest { payload, signature } = request.get_ref();
        let result = receive_provider_event(&self.0, payload, signature).await;
        into_grpc(result.map(|()| pb::ReceiveProviderEventResponse {}))
    }
}

/// Adds what the charge pays for to the span of the call.
fn record_subject(subject: ChargeSubject) {
    tracing::Span::current().record("aggregate_id", tracing::field::display(subject));
}
