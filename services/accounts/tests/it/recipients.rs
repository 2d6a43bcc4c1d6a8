//! Consumers who receive gift cards.

use accounts::{grpc::Grpc, ops::remove_consumer::remove_consumer};
use kit::{ErrorCode, ServiceError};
use proto::accounts::v1::{
    FindRecipientRequest, accounts_server::Accounts as _, find_recipient_request::Address,
};
use testing::{into_result, request_from_consumer, request_from_service};
use types::ConsumerId;

use crate::harness::Harness;

const PHONE: &str = "+14155550123";
const OTHER: &str = "+14155550199";
const EMAIL: &str = "maya@example.com";

async fn find(harness: &Harness, service: &str, address: Address) -> Result<String, ServiceError> {
    let request = request_from_service(
        service,
        FindRecipientRequest {
            address: Some(address),
        },
    );
    let found = into_result(Grpc(harness.cx.clone()).find_recipient(request).await)?;
    Ok(found.consumer_id)
}

async fn find_by_phone(harness: &Harness, phone: &str) -> String {
    find(harness, "gift-cards", Address::Phone(phone.to_owned()))
        .await
        .unwrap()
}

async fn find_by_email(harness: &Harness, email: &str) -> String {
    find(harness, "gift-cards", Address::Email(email.to_owned()))
        .await
        .unwrap()
}

async fn set_email(harness: &Harness, consumer: ConsumerId, email: &str, verified: Option<&str>) {
    sqlx::query("UPDATE consumers SET email = $2, verified_email = $3 WHERE id = $1")
        .bind(consumer.uuid())
        .bind(email)
        .bind(verified)
        .execute(&harness.cx.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn the_recipient_is_the_consumer_with_the_phone_number_at_this_time() {
    let harness = Harness::new().await;
    assert_eq!(find_by_phone(&harness, PHONE).await, "");
    let first = harness.sign_in(PHONE, "phone").await;
    harness.sign_in(OTHER, "tablet").await;
    let first_id = first.session.consumer_id;
    assert_eq!(find_by_phone(&harness, PHONE).await, first_id.to_string());
    for address in ["4155550123", "+1415555012", "+14155550124", ""] {
        assert_eq!(find_by_phone(&harness, address).await, "", "{address}");
    }
    remove_consumer(&harness.cx, first_id, first.session.id)
        .await
        .unwrap();
    assert_eq!(find_by_phone(&harness, PHONE).await, "");
    harness.advance(std::time::Duration::from_mins(1));
    let second = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    assert_eq!(find_by_phone(&harness, PHONE).await, second.to_string());
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_current_and_verified_address_of_one_consumer_has_a_recipient() {
    let harness = Harness::new().await;
    let maya = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    let other = harness.sign_in(OTHER, "tablet").await.session.consumer_id;
    set_email(&harness, maya, EMAIL, None).await;
    assert_eq!(find_by_email(&harness, EMAIL).await, "", "not verified");
    set_email(&harness, maya, EMAIL, Some(EMAIL)).await;
    for written in [EMAIL, "Maya@Example.com"] {
        assert_eq!(find_by_email(&harness, written).await, maya.to_string());
    }
    set_email(&harness, other, EMAIL, None).await;
    assert_eq!(find_by_email(&harness, EMAIL).await, maya.to_string());
    set_email(&harness, other, EMAIL, Some(EMAIL)).await;
    assert_eq!(find_by_email(&harness, EMAIL).await, "", "of two consumers");
    // The previous release changes the address and not the verified one.
    set_email(&harness, other, "other@example.com", Some(EMAIL)).await;
    assert_eq!(find_by_email(&harness, EMAIL).await, maya.to_string());
    assert_eq!(find_by_email(&harness, "other@example.com").await, "");
    for address in ["", "%", "maya@example_com"] {
        assert_eq!(find_by_email(&harness, address).await, "", "{address}");
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn nobody_but_gift_cards_can_look_up_a_consumer() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    for service in ["gateway", "ordering", "rewards"] {
        let error = find(&harness, service, Address::Phone(PHONE.to_owned()))
            .await
            .unwrap_err();
        assert_eq!(error.code, ErrorCode::Forbidden, "{service}");
    }
    let address = Some(Address::Phone(PHONE.to_owned()));
    let request = request_from_consumer(consumer, FindRecipientRequest { address });
    let error = into_result(Grpc(harness.cx.clone()).find_recipient(request).await).unwrap_err();
    assert_eq!(error.code, ErrorCode::Forbidden);
    let request = request_from_service("gift-cards", FindRecipientRequest { address: None });
    let error = into_result(Grpc(harness.cx.clone()).find_recipient(request).await).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest);
    harness.database.drop().await;
}
