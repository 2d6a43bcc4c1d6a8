//! Calls that are only for saved payment methods.

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
