//! Receipts, for the consumer of the order and on their public page.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1::{
    GetPublicReceiptRequest, GetReceiptRequest, OrderStatus, QuoteLine, Receipt, TenderKind,
};
use proto::stores::v1::ResolvedLine;
use proto::values::v1::Money;
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

const PATH: &str = "/api/consumer/order/complete?orderId=ord_1";

fn receipt(signature: &str) -> Receipt {
    let usd = |cents| {
        Some(Money {
            minor_units: cents,
            currency: "usd".into(),
        })
    };
    Receipt {
        order_id: "ord_1".into(),
        status: OrderStatus::Completed.into(),
        store_name: "Sunset".into(),
        lines: vec![QuoteLine {
            line: Some(ResolvedLine {
                line_id: "a".into(),
                item_name: "Latte".into(),
                kind: "drink".into(),
                art: "{}".into(),
                quantity: 2,
                unit_price: usd(475),
                ..ResolvedLine::default()
            }),
            amount: usd(950),
            discount: usd(0),
        }],
        subtotal: usd(950),
        total: usd(1240),
        tender: TenderKind::Card.into(),
        is_charged: true,
        created_at: "2026-11-20T16:00:00Z".into(),
        signature: signature.into(),
        ..Receipt::default()
    }
}

#[tokio::test]
async fn a_consumer_gets_the_receipt_of_an_order_with_the_signature_of_its_link() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetReceipt", |request: GetReceiptRequest| {
        assert_eq!(request.order_id, "ord_1");
        Ok(receipt("sig-1"))
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway.get(PATH).with_session(&new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(status, 200);
    let data = &body["data"];
    assert_eq!(
        (
            &data["signature"],
            &data["paymentType"],
            &data["lines"][0]["itemName"]
        ),
        (&json!("sig-1"), &json!("card"), &json!("Latte"))
    );
    assert!(matches!(
        services.calls("GetReceipt")[0].caller,
        Caller::Consumer { .. }
    ));
}

#[tokio::test]
async fn the_public_page_needs_the_signature_and_no_session() {
    let services = FakeServices::start().await;
    services.on("GetPublicReceipt", |request: GetPublicReceiptRequest| {
        if request.signature != "sig-1" {
            return Err(ServiceError::new(
                ErrorCode::NotFound,
                "RECEIPT_SIGNATURE_INVALID",
                "This receipt link isn't valid.",
            )
            .into());
        }
        Ok(receipt(""))
    });
    let gateway = Gateway::start(&services).await;
    let get = |query: &str| {
        gateway
            .get(&format!("{PATH}&isReceiptPublicPage=true{query}"))
            .send()
    };
    let (status, body) = status_and_body(get("&signature=sig-1").await.unwrap()).await;
    assert_eq!((status, &body["data"]["signature"]), (200, &json!(null)));
    // No personal field is part of the type.
    for field in [
        "consumerId",
        "pickupName",
        "vehicle",
        "paymentMethod",
        "message",
        "pickupNumber",
    ] {
        assert!(body["data"].get(field).is_none(), "{field}");
    }
    for query in ["", "&signature=sig-2"] {
        let (status, body) = status_and_body(get(query).await.unwrap()).await;
        assert_eq!(
            (status, &body["reason"]),
            (404, &json!("RECEIPT_SIGNATURE_INVALID")),
            "{query}"
        );
    }
}

#[tokio::test]
async fn without_session_a_signature_alone_is_not_enough() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start(&services).await;
    for query in [
        "",
        "&signature=sig-1",
        "&signature=sig-1&isReceiptPublicPage=false",
    ] {
        let response = gateway.get(&format!("{PATH}{query}")).send().await.unwrap();
        let (status, body) = status_and_body(response).await;
        assert_eq!(
            (status, &body["reason"]),
            (401, &json!("UNAUTHENTICATED")),
            "{query}"
        );
    }
    assert!(services.calls("GetReceipt").is_empty());
    let response = gateway
        .get(&format!("{PATH}&isReceiptPublicPage=maybe"))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
}
