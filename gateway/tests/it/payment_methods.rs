//! Payment methods: which ids a call accepts, and debts.

use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{GetWalletRequest, Wallet};
use proto::payments::v1::{
    ListPaymentMethodsRequest, ListPaymentMethodsResponse, RecoverFailedPaymentsRequest,
    RecoverFailedPaymentsResponse,
};
use proto::stores::v1::{GetStoreRequest, Store};
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

#[tokio::test]
async fn a_balance_can_be_neither_the_default_nor_deleted() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start(&services).await;
    for (call, message) in [
        ("set-default", "Only a card or bank account can be the default."),
        ("delete", "A JoePass or gift card balance can't be deleted."),
    ] {
        let body = json!({"paymentMethodId": "bal_01h455vb4pex5vsknk084sn02q"});
        let request = gateway.post(&format!("/api/consumer/payment/{call}"), &body);
        let request = request.with_session(&new_token());
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(
            (status, &body["reason"], &body["field"], &body["errors"]),
            (
                422,
                &json!("BALANCE_NOT_ALLOWED"),
                &json!("paymentMethodId"),
                &json!([message])
            )
        );
    }
}

#[tokio::test]
async fn malformed_and_unknown_ids_are_rejected() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetWallet", |_: GetWalletRequest| Ok(Wallet::default()));
    services.on("ListPaymentMethods", |_: ListPaymentMethodsRequest| {
        Ok(ListPaymentMethodsResponse::default())
    });
    services.on("GetStore", |_: GetStoreRequest| -> Result<Store, _> {
        let message = "We couldn't find that store.";
        Err(ServiceError::new(ErrorCode::NotFound, "STORE_UNKNOWN", message).into())
    });
    let gateway = Gateway::start(&services).await;
    for (query, expected) in [
        ("payment?paymentMethodId=bal_x", (400, "ID_MALFORMED")),
        (
            "payment?paymentMethodId=bal_01h455vb4pex5vsknk084sn02q",
            (404, "PAYMENT_METHOD_UNKNOWN"),
        ),
        (
            "payments/list?includeDefaultPaymentMethodId=bal_x",
            (400, "ID_MALFORMED"),
        ),
        (
            "payments/list?storeId=str_01h455vb4pex5vsknk084sn02q",
            (404, "STORE_UNKNOWN"),
        ),
    ] {
        let request = gateway.get(&format!("/api/consumer/{query}"));
        let request = request.with_session(&new_token());
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!((status, body["reason"].as_str().unwrap()), expected, "{query}");
    }
}

#[tokio::test]
async fn a_rule_that_forbids_to_pay_debts_is_an_outcome_and_a_failure_is_not() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start(&services).await;
    for (code, expected) in [
        (ErrorCode::RateLimited, (200, Some("90"))),
        (ErrorCode::NotFound, (200, None)),
        (ErrorCode::Unavailable, (503, Some("90"))),
    ] {
        services.on(
            "RecoverFailedPayments",
            move |_: RecoverFailedPaymentsRequest| -> Result<RecoverFailedPaymentsResponse, _> {
                let error = ServiceError::new(code, "TOO_MANY_ATTEMPTS", "Please wait.");
                Err(error.with_retry_after(Duration::from_secs(90)).into())
            },
        );
        let body = json!({
            "paymentIntentIds": [], "paymentMethodId": "pay_1", "paymentMethodType": "card",
        });
        let request = gateway.post("/api/consumer/payment/update-failed-payments", &body);
        let request = request.with_session(&new_token());
        let response = request.send().await.unwrap();
        let retry_after = response
            .headers()
            .get("retry-after")
            .map(|value| value.to_str().unwrap().to_owned());
        let (status, body) = status_and_body(response).await;
        assert_eq!((status, retry_after.as_deref()), expected);
        assert_eq!(
            (&body["success"], &body["errors"], &body["reason"]),
            (
                &json!(false),
                &json!(["Please wait."]),
                &json!("TOO_MANY_ATTEMPTS")
            )
        );
    }
}
