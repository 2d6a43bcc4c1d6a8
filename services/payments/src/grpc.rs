//! The calls: decode, one operation, encode.

use kit::ServiceError;
use callers::Caller;
use proto::payments::v1::{
    AddCardRequest, AuthorizeChargeRequest, CardSecret, Charge, CloseChargeRequest, CreateCardSecretRequest,
    DeletePaymentMethodRequest, GetPaymentMethodRequest, GetPublishableKeyRequest, ListPaymentMethodsRequest,
    ListPaymentMethodsResponse, PaymentMethod, PublishableKey, ReceiveProviderEventRequest,
    ReceiveProviderEventResponse, RefreshChargeRequest, SetDefaultPaymentMethodRequest,
    UnsetDefaultPaymentMethodRequest, payments_server,
};
use secrecy::ExposeSecret;
use tonic::{Request, Response, Status};

use crate::{Payments, convert, ops};

/// Who may charge orders.
const CHARGERS: &[&str] = &["ordering"];
/// Who passes the provider's webhooks on.
const RECEIVERS: &[&str] = &["gateway"];

/// The gRPC service.
#[derive(Debug, Clone)]
pub struct Grpc(pub Payments);

#[tonic::async_trait]
impl payments_server::Payments for Grpc {
    async fn list_payment_methods(
        &self,
        request: Request<ListPaymentMethodsRequest>,
    ) -> Result<Response<ListPaymentMethodsResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let first = match request.into_inner().include_default_payment_method_id.as_str() {
            "" => None,
            text => Some(convert::id(text, "includeDefaultPaymentMethodId")?),
        };
        let methods = ops::list_methods::list_methods(&self.0, consumer, first)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_methods(&methods, self.0.clock.now())))
    }

    async fn get_payment_method(
        &self,
        request: Request<GetPaymentMethodRequest>,
    ) -> Result<Response<PaymentMethod>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = convert::id(&request.into_inner().payment_method_id, "paymentMethodId")?;
        let method = ops::get_method::get_method(&self.0, consumer, id)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_method(&method, self.0.clock.now())))
    }

    async fn create_card_secret(
        &self,
        request: Request<CreateCardSecretRequest>,
    ) -> Result<Response<CardSecret>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let secret = ops::create_card_secret::create_card_secret(&self.0, consumer)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(CardSecret {
            client_secret: secret.expose_secret().to_owned(),
            publishable_key: self.0.publishable_key.clone(),
        }))
    }

    async fn get_publishable_key(
        &self,
        request: Request<GetPublishableKeyRequest>,
    ) -> Result<Response<PublishableKey>, Status> {
        Caller::of(&request)?.consumer()?;
        Ok(Response::new(PublishableKey {
            publishable_key: self.0.publishable_key.clone(),
        }))
    }

    async fn add_card(
        &self,
        request: Request<AddCardRequest>,
    ) -> Result<Response<ListPaymentMethodsResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let methods = ops::add_card::add_card(&self.0, consumer)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_methods(&methods, self.0.clock.now())))
    }

    async fn delete_payment_method(
        &self,
        request: Request<DeletePaymentMethodRequest>,
    ) -> Result<Response<ListPaymentMethodsResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = convert::id(&request.into_inner().payment_method_id, "paymentMethodId")?;
        let left = ops::delete_method::delete_method(&self.0, consumer, id)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_methods(&left, self.0.clock.now())))
    }

    async fn set_default_payment_method(
        &self,
        request: Request<SetDefaultPaymentMethodRequest>,
    ) -> Result<Response<ListPaymentMethodsResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = convert::id(&request.into_inner().payment_method_id, "paymentMethodId")?;
        let methods = ops::set_default::set_default(&self.0, consumer, Some(id))
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_methods(&methods, self.0.clock.now())))
    }

    async fn unset_default_payment_method(
        &self,
        request: Request<UnsetDefaultPaymentMethodRequest>,
    ) -> Result<Response<ListPaymentMethodsResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let methods = ops::set_default::set_default(&self.0, consumer, None)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_methods(&methods, self.0.clock.now())))
    }

    async fn authorize_charge(
        &self,
        request: Request<AuthorizeChargeRequest>,
    ) -> Result<Response<Charge>, Status> {
        Caller::of(&request)?.service(CHARGERS)?;
        let request = convert::authorize_request(request.into_inner())?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(request.order));
        let standing = ops::authorize::authorize(&self.0, request)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_standing(&standing)))
    }

    async fn refresh_charge(
        &self,
        request: Request<RefreshChargeRequest>,
    ) -> Result<Response<Charge>, Status> {
        Caller::of(&request)?.service(CHARGERS)?;
        let order = convert::id(&request.into_inner().order_id, "orderId")?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(order));
        let standing = ops::refresh::refresh(&self.0, order)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_standing(&standing)))
    }

    async fn close_charge(&self, request: Request<CloseChargeRequest>) -> Result<Response<Charge>, Status> {
        Caller::of(&request)?.service(CHARGERS)?;
        let order = convert::id(&request.into_inner().order_id, "orderId")?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(order));
        let closed = ops::close::close(&self.0, order)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_charge(&closed)))
    }

    async fn receive_provider_event(
        &self,
        request: Request<ReceiveProviderEventRequest>,
    ) -> Result<Response<ReceiveProviderEventResponse>, Status> {
        Caller::of(&request)?.service(RECEIVERS)?;
        let ReceiveProviderEventRequest { payload, signature } = request.into_inner();
        ops::receive_event::receive_event(&self.0, &payload, &signature)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(ReceiveProviderEventResponse {}))
    }
}
