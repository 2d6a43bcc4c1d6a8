//! The store API, and webhooks of the payment provider.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1::{ListOrdersResponse, ListQueueRequest, Order, OrderStatus, StoreOrderRequest};
use proto::payments::v1::{ReceiveProviderEventRequest, ReceiveProviderEventResponse};
use proto::stores::v1::{AuthenticateStoreRequest, AuthenticateStoreResponse};
use reqwest::Method;

use crate::fake_services::FakeServices;
use crate::fixtures::order;
use crate::harness::{Gateway, new_token, status_and_body};

const CREDENTIAL: &str = "crd_01h455vb4pex5vsknk084sn02q";
const STORE: &str = "str_01h455vb4pex5vsknk084sn02q";

#[tokio::test]
async fn a_store_system_acts_for_the_stores_of_its_credential() {
    let services = FakeServices::start().await;
    let good = new_token();
    let expected = good.clone();
    services.on("AuthenticateStore", move |request: AuthenticateStoreRequest| {
        if request.credential != expected {
            return Err(ServiceError::new(
                ErrorCode::Unauthenticated,
                "CREDENTIAL_UNKNOWN",
                "We couldn't find that store.",
            )
            .into());
        }
        let store_ids = vec![STORE.to_owned()];
        Ok(AuthenticateStoreResponse {
            credential_id: CREDENTIAL.to_owned(),
            store_ids,
            all_stores: false,
        })
    });
    services.on("AcceptOrder", |request: StoreOrderRequest| {
        Ok(Order {
            order_id: request.order_id,
            client_secret: "secret".into(),
            ..order(OrderStatus::Accepted)
        })
    });
    let gateway = Gateway::start(&services).await;
    let accept = |credential: &str| {
        let url = format!("{}/store-api/orders/ord_1/accept", gateway.url);
        gateway
            .client
            .request(Method::POST, url)
            .bearer_auth(credential)
            .send()
    };
    // No origin is required, because browsers do not send the credential on their own.
    for _ in 0..2 {
        let response = accept(&good).await.unwrap();
        assert_eq!(response.status(), 200);
        let body: serde_json::Value = response.json().await.unwrap();
        assert_eq!(
            (&body["data"]["orderId"], &body["data"]["clientSecret"]),
            (&"ord_1".into(), &serde_json::Value::Null)
        );
    }
    assert_eq!(accept("wrong").await.unwrap().status(), 401);
    assert_eq!(services.calls("AuthenticateStore").len(), 2);
    let caller = services.calls("AcceptOrder")[0].caller.clone();
    assert!(
        matches!(caller, Caller::Store { stores: Some(list), .. } if list.len() == 1 && list[0].to_string() == STORE)
    );
}

#[tokio::test]
async fn an_order_that_has_ended_is_read_by_its_id() {
    let services = FakeServices::start().await;
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: CREDENTIAL.to_owned(),
            store_ids: vec![STORE.to_owned()],
            all_stores: false,
        })
    });
    services.on("GetStoreOrder", |request: StoreOrderRequest| {
        if request.order_id != "ord_1" {
            let message = "We couldn't find that order.";
            return Err(ServiceError::new(ErrorCode::NotFound, "ORDER_UNKNOWN", message).into());
        }
        Ok(Order {
            pickup_name: "Maya".into(),
            client_secret: "secret".into(),
            promo_code: "FRESH".into(),
            ..order(OrderStatus::Completed)
        })
    });
    let gateway = Gateway::start(&services).await;
    let get = async |id: &str| {
        let url = format!("{}/store-api/orders/{id}", gateway.url);
        let response = gateway.client.get(url).bearer_auth(new_token()).send().await;
        status_and_body(response.unwrap()).await
    };
    let (status, body) = get("ord_1").await;
    let order = &body["data"];
    assert_eq!(
        (status, &order["status"], &order["pickupName"]),
        (200, &"Completed".into(), &"Maya".into())
    );
    for private in ["clientSecret", "promoCode", "promo", "tender", "total"] {
        assert!(order.get(private).is_none(), "{private}");
    }
    let (status, body) = get("ord_2").await;
    assert_eq!((status, &body["reason"]), (404, &"ORDER_UNKNOWN".into()));
}

#[tokio::test]
async fn the_authentication_scheme_is_case_insensitive() {
    let services = FakeServices::start().await;
    let good = new_token();
    let expected = good.clone();
    services.on("AuthenticateStore", move |request: AuthenticateStoreRequest| {
        assert_eq!(request.credential, expected);
        Ok(AuthenticateStoreResponse {
            credential_id: CREDENTIAL.to_owned(),
            store_ids: vec![STORE.to_owned()],
            all_stores: false,
        })
    });
    services.on("ListQueue", |_: ListQueueRequest| {
        Ok(ListOrdersResponse::default())
    });
    let gateway = Gateway::start(&services).await;
    let list_queue = async |authorization: Option<String>| {
        let mut request = gateway.client.get(format!("{}/store-api/queue", gateway.url));
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        request.send().await.unwrap()
    };
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer  "] {
        let response = list_queue(Some(format!("{scheme} {good}"))).await;
        assert_eq!(response.status(), 200, "{scheme:?}");
    }
    for wrong in [
        None,
        Some(good.clone()),
        Some(format!("Basic {good}")),
        Some(format!("Bearer{good}")),
        Some("Bearer ".to_owned()),
    ] {
        let response = list_queue(wrong.clone()).await;
        assert_eq!(response.status(), 401, "{wrong:?}");
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
    }
}

#[tokio::test]
async fn the_queue_is_read_in_pages() {
    let services = FakeServices::start().await;
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: CREDENTIAL.to_owned(),
            store_ids: vec![STORE.to_owned()],
            all_stores: false,
        })
    });
    let (sender, requests) = std::sync::mpsc::channel();
    services.on("ListQueue", move |request: ListQueueRequest| {
        sender.send((request.cursor.clone(), request.take)).unwrap();
        if request.cursor == "wrong" {
            return Err(ServiceError::new(
                ErrorCode::InvalidRequest,
                "MALFORMED",
                "This request isn't valid.",
            )
            .with_field("cursor")
            .into());
        }
        let is_first = request.cursor.is_empty();
        Ok(ListOrdersResponse {
            orders: vec![order(OrderStatus::Placed)],
            next_cursor: if is_first { "page-2".into() } else { String::new() },
        })
    });
    let gateway = Gateway::start(&services).await;
    let credential = new_token();
    let get = async |query: &str| {
        let url = format!("{}/store-api/queue{query}", gateway.url);
        let response = gateway
            .client
            .get(url)
            .bearer_auth(&credential)
            .send()
            .await
            .unwrap();
        let status = response.status().as_u16();
        (status, response.json::<serde_json::Value>().await.unwrap())
    };
    let (status, first) = get("").await;
    assert_eq!((status, &first["data"]["nextCursor"]), (200, &"page-2".into()));
    let (status, last) = get("?cursor=page-2&take=5").await;
    assert_eq!(
        (status, &last["data"]["nextCursor"]),
        (200, &serde_json::Value::Null)
    );
    let (status, body) = get("?cursor=wrong").await;
    assert_eq!((status, &body["reason"]), (400, &"MALFORMED".into()));
    for query in ["?take=101", "?take=-1", "?take=many"] {
        assert_eq!(get(query).await.0, 400, "{query}");
    }
    let expected = [("", 100), ("page-2", 5), ("wrong", 100)];
    let requests: Vec<(String, u32)> = requests.try_iter().collect();
    assert_eq!(requests, expected.map(|(cursor, take)| (cursor.to_owned(), take)));
}

#[tokio::test]
async fn a_path_that_is_not_utf_8_is_rejected_with_a_reason() {
    let services = FakeServices::start().await;
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: CREDENTIAL.to_owned(),
            store_ids: vec![STORE.to_owned()],
            all_stores: false,
        })
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway
        .client
        .post(format!("{}/store-api/orders/%ff/accept", gateway.url))
        .bearer_auth(new_token());
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 400);
    let body: serde_json::Value = response.json().await.unwrap();
    assert_eq!(body["reason"], "MALFORMED_PATH");
}

#[tokio::test]
async fn a_provider_event_is_passed_on_unchanged_with_its_signature() {
    let services = FakeServices::start().await;
    services.on("ReceiveProviderEvent", |_: ReceiveProviderEventRequest| {
        Ok(ReceiveProviderEventResponse {})
    });
    let gateway = Gateway::start(&services).await;
    let event = "{ \"id\": \"evt_1\",\n \"é\": 1.50 }";
    let request = gateway
        .client
        .post(format!("{}/webhooks/payments", gateway.url))
        .body(event);
    let response = request
        .header("stripe-signature", "t=1,v1=abc")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    let received: ReceiveProviderEventRequest = services.calls("ReceiveProviderEvent")[0].decode();
    assert_eq!(
        (received.payload.as_slice(), &*received.signature),
        (event.as_bytes(), "t=1,v1=abc")
    );
}
