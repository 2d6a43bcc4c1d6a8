//! Sign-in of the staff of stores.

use std::time::Duration;

use jiff::SignedDuration;
use kit::ServiceError;
use proto::stores::v1::{self as pb, store_staff_server::StoreStaff as _, stores_server::Stores as _};
use stores::{StaffGrpc, ops::set_staff_pin::set_staff_pin};
use types::StoreId;

use crate::harness::{Harness, error, ok, reason, request_from_service, request_from_store, unknown_store};

const CODE: &str = "seed-01";
const PIN: &str = "246810";

async fn sign_in_from(
    harness: &Harness,
    address: &str,
    code: &str,
    pin: &str,
) -> Result<pb::StaffSession, ServiceError> {
    let request = pb::SignInStaffRequest {
        store_code: code.to_owned(),
        pin: pin.to_owned(),
        client_address: address.to_owned(),
    };
    let staff = StaffGrpc::new(harness.cx.clone());
    let response = staff
        .sign_in_staff(request_from_service("gateway", request))
        .await;
    testing::into_result(response)
}

async fn sign_in(harness: &Harness, code: &str, pin: &str) -> Result<pb::StaffSession, ServiceError> {
    sign_in_from(harness, "203.0.113.1", code, pin).await
}

async fn authenticate(
    harness: &Harness,
    token: &str,
) -> Result<tonic::Response<pb::AuthenticateStoreResponse>, tonic::Status> {
    let request = pb::AuthenticateStoreRequest {
        credential: token.to_owned(),
    };
    harness
        .grpc
        .authenticate_store(request_from_service("gateway", request))
        .await
}

async fn first_store(harness: &Harness) -> StoreId {
    sqlx::query_scalar("SELECT store_id FROM stores WHERE store_number = 'seed-01'")
        .fetch_one(&harness.database.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn code_and_pin_give_access_to_one_store_for_twelve_hours() {
    let harness = Harness::seeded().await;
    let session = sign_in(&harness, " Seed-01", PIN).await.unwrap();
    let store = first_store(&harness).await;
    assert_eq!(session.store_id, store.to_string());
    let access = ok(authenticate(&harness, &session.token).await);
    assert_eq!(
        (access.store_ids, access.all_stores),
        (vec![store.to_string()], false)
    );
    harness
        .clock
        .advance(SignedDuration::from_hours(12) - SignedDuration::from_secs(1));
    ok(authenticate(&harness, &session.token).await);
    harness.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(
        reason(authenticate(&harness, &session.token).await),
        "CREDENTIAL_UNKNOWN"
    );
    let stored = harness
        .count("SELECT count(*) FROM staff_sessions WHERE encode(token_hash, 'escape') LIKE 'staff%'")
        .await;
    assert_eq!(stored, 0, "only a hash is stored");
    harness.close().await;
}

#[tokio::test]
async fn signing_out_and_a_new_pin_end_sessions() {
    let harness = Harness::seeded().await;
    let staff = StaffGrpc::new(harness.cx.clone());
    let first = sign_in(&harness, CODE, PIN).await.unwrap().token;
    let second = sign_in(&harness, CODE, PIN).await.unwrap().token;
    for _ in 0..2 {
        let request = pb::SignOutStaffRequest { token: first.clone() };
        ok(staff
            .sign_out_staff(request_from_service("gateway", request))
            .await);
    }
    assert_eq!(reason(authenticate(&harness, &first).await), "CREDENTIAL_UNKNOWN");
    ok(authenticate(&harness, &second).await);
    let store = first_store(&harness).await;
    let code = set_staff_pin(&harness.cx, store, None, &"135791".parse().unwrap())
        .await
        .unwrap();
    assert_eq!(code.to_string(), "SEED-01", "the store keeps its code");
    assert_eq!(
        reason(authenticate(&harness, &second).await),
        "CREDENTIAL_UNKNOWN"
    );
    assert_eq!(
        sign_in(&harness, CODE, PIN).await.unwrap_err().reason,
        "STAFF_PIN_INVALID"
    );
    sign_in(&harness, CODE, "135791").await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn an_unknown_code_and_a_wrong_pin_have_the_same_response() {
    let harness = Harness::seeded().await;
    let wrong_pin = sign_in(&harness, CODE, "000000").await.unwrap_err();
    for (code, pin) in [
        ("nowhere", PIN),
        ("", PIN),
        (CODE, "12"),
        (CODE, ""),
        ("seed-02' OR true", PIN),
    ] {
        assert_eq!(sign_in(&harness, code, pin).await.unwrap_err(), wrong_pin);
    }
    assert_eq!(wrong_pin.reason, "STAFF_PIN_INVALID");
    harness.close().await;
}

#[tokio::test]
async fn an_address_is_locked_out_after_ten_wrong_pins() {
    let harness = Harness::seeded().await;
    for _ in 0..9 {
        let error = sign_in(&harness, CODE, "000000").await.unwrap_err();
        assert_eq!(error.reason, "STAFF_PIN_INVALID");
    }
    // A success deletes the failures before it.
    sign_in(&harness, CODE, PIN).await.unwrap();
    for _ in 0..10 {
        let error = sign_in(&harness, CODE, "000000").await.unwrap_err();
        assert_eq!(error.reason, "STAFF_PIN_INVALID");
    }
    let error = sign_in(&harness, CODE, PIN).await.unwrap_err();
    assert_eq!(
        (&*error.reason, error.retry_after),
        ("STAFF_LOCKED_OUT", Some(Duration::from_mins(15)))
    );
    sign_in_from(&harness, "203.0.113.2", CODE, PIN).await.unwrap();
    harness.clock.advance(SignedDuration::from_mins(15));
    sign_in(&harness, CODE, PIN).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn a_store_is_locked_out_after_forty_wrong_pins_from_many_addresses() {
    let harness = Harness::seeded().await;
    for n in 0..40 {
        let error = sign_in_from(&harness, &format!("203.0.113.{n}"), CODE, "000000")
            .await
            .unwrap_err();
        assert_eq!(error.reason, "STAFF_PIN_INVALID");
    }
    let error = sign_in_from(&harness, "203.0.113.99", CODE, PIN)
        .await
        .unwrap_err();
    assert_eq!(error.reason, "STAFF_LOCKED_OUT");
    // Of this store only.
    sign_in_from(&harness, "203.0.113.99", "seed-02", PIN)
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test]
async fn concurrent_attempts_do_not_exceed_the_limit() {
    let harness = Harness::seeded().await;
    let attempts = (0..20).map(|_| sign_in(&harness, CODE, "000000"));
    let errors = futures::future::join_all(attempts).await;
    let compared = errors.into_iter().filter(|result| {
        result
            .as_ref()
            .is_err_and(|error| error.reason == "STAFF_PIN_INVALID")
    });
    assert_eq!(compared.count(), 10);
    harness.close().await;
}

#[tokio::test]
async fn a_code_belongs_to_one_existing_store() {
    let harness = Harness::seeded().await;
    let store = first_store(&harness).await;
    let pin = PIN.parse().unwrap();
    let taken = set_staff_pin(&harness.cx, store, Some("seed-02".parse().unwrap()), &pin).await;
    assert!(taken.unwrap_err().to_string().contains("SEED-02"));
    let unknown = set_staff_pin(&harness.cx, unknown_store(), None, &pin).await;
    assert!(unknown.unwrap_err().to_string().contains("unknown store"));
    harness.close().await;
}

#[tokio::test]
async fn only_the_gateway_signs_staff_in_and_out() {
    let harness = Harness::seeded().await;
    let staff = StaffGrpc::new(harness.cx.clone());
    let request = request_from_store(None, pb::SignInStaffRequest::default());
    assert_eq!(error(staff.sign_in_staff(request).await).reason, "FORBIDDEN");
    let request = request_from_store(None, pb::SignOutStaffRequest::default());
    assert_eq!(error(staff.sign_out_staff(request).await).reason, "FORBIDDEN");
    harness.close().await;
}
