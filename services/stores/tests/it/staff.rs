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

async fn sign_in_on(
    harness: &Harness,
    device: &str,
    address: &str,
    code: &str,
    pin: &str,
) -> Result<pb::StaffSession, ServiceError> {
    send_sign_in(harness, device, address, code, pin, false).await
}

async fn send_sign_in(
    harness: &Harness,
    device: &str,
    address: &str,
    code: &str,
    pin: &str,
    known_devices_only: bool,
) -> Result<pb::StaffSession, ServiceError> {
    let request = pb::SignInStaffRequest {
        store_code: code.to_owned(),
        pin: pin.to_owned(),
        client_address: address.to_owned(),
        device_id: device.to_owned(),
        known_devices_only,
    };
    let staff = StaffGrpc::new(harness.cx.clone());
    let response = staff
        .sign_in_staff(request_from_service("gateway", request))
        .await;
    testing::into_result(response)
}

/// Signs in on an unknown device.
async fn sign_in_from(
    harness: &Harness,
    address: &str,
    code: &str,
    pin: &str,
) -> Result<pb::StaffSession, ServiceError> {
    sign_in_on(harness, "", address, code, pin).await
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
async fn a_sign_in_during_a_change_of_the_pin_is_rejected() {
    let harness = Harness::seeded().await;
    let pool = &harness.database.pool;
    let mut change = kit::postgres::begin(pool).await.unwrap();
    let changed = sqlx::query("UPDATE staff_pins SET pin_hash = 'another' WHERE store_id = $1")
        .bind(first_store(&harness).await)
        .execute(&mut *change)
        .await
        .unwrap();
    assert_eq!(changed.rows_affected(), 1);
    let commit = async {
        harness.database.wait_for_blocked(1).await;
        change.commit().await.unwrap();
    };
    let sign_in = async { sign_in(&harness, CODE, PIN).await };
    let (signed_in, ()) = tokio::join!(sign_in, commit);
    assert_eq!(signed_in.unwrap_err().reason, "STAFF_PIN_INVALID");
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
    let code = set_staff_pin(&harness.cx, store, None, &"135791".parse().unwrap(), |_| Ok(()))
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
    // A successful sign-in deletes previous failures.
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
async fn unknown_devices_have_to_wait_after_forty_wrong_pins_for_a_store() {
    let harness = Harness::seeded().await;
    enter_wrong_pins_from_many_addresses(&harness).await;
    let sign_in = || sign_in_from(&harness, "203.0.113.99", CODE, PIN);
    let error = sign_in().await.unwrap_err();
    assert_eq!(
        (&*error.reason, error.retry_after),
        ("STAFF_LOCKED_OUT", Some(Duration::from_secs(90)))
    );
    // Only this store is affected.
    sign_in_from(&harness, "203.0.113.99", "seed-02", PIN)
        .await
        .unwrap();
    harness.clock.advance(SignedDuration::from_secs(90));
    let wrong = sign_in_from(&harness, "203.0.113.98", CODE, "000000").await;
    assert_eq!(wrong.unwrap_err().reason, "STAFF_PIN_INVALID");
    assert_eq!(sign_in().await.unwrap_err().reason, "STAFF_LOCKED_OUT");
    harness.clock.advance(SignedDuration::from_secs(90));
    sign_in().await.unwrap();
    harness.close().await;
}

async fn enter_wrong_pins_from_many_addresses(harness: &Harness) {
    for n in 0..40 {
        let address = format!("203.0.113.{n}");
        let device = format!("unknown device {n}");
        let error = sign_in_on(harness, &device, &address, CODE, "000000")
            .await
            .unwrap_err();
        assert_eq!(error.reason, "STAFF_PIN_INVALID");
    }
}

const TABLET: &str = "7b0a4cbc-6e4c-4c51-8d5e-5f0c2f3f7f10";

#[tokio::test]
async fn attempts_on_unknown_devices_do_not_lock_out_a_known_device() {
    let harness = Harness::seeded().await;
    let address = "203.0.113.1";
    sign_in_on(&harness, TABLET, address, CODE, PIN).await.unwrap();
    enter_wrong_pins_from_many_addresses(&harness).await;
    // From the store's own network as well.
    for _ in 0..20 {
        assert!(sign_in_from(&harness, address, CODE, "000000").await.is_err());
    }
    sign_in_on(&harness, TABLET, address, CODE, PIN).await.unwrap();
    // It is known only at its own store.
    for _ in 0..10 {
        assert!(
            sign_in_from(&harness, address, "seed-02", "000000")
                .await
                .is_err()
        );
    }
    let other = sign_in_on(&harness, TABLET, address, "seed-02", PIN).await;
    assert_eq!(other.unwrap_err().reason, "STAFF_LOCKED_OUT");
    harness.close().await;
}

#[tokio::test]
async fn a_known_device_has_its_own_limit() {
    let harness = Harness::seeded().await;
    sign_in_on(&harness, TABLET, "203.0.113.1", CODE, PIN)
        .await
        .unwrap();
    for n in 0..10 {
        let address = format!("203.0.113.{n}");
        let error = sign_in_on(&harness, TABLET, &address, CODE, "000000").await;
        assert_eq!(error.unwrap_err().reason, "STAFF_PIN_INVALID");
    }
    let sign_in = || sign_in_on(&harness, TABLET, "203.0.113.99", CODE, PIN);
    assert_eq!(sign_in().await.unwrap_err().reason, "STAFF_LOCKED_OUT");
    // Its failures do not count for others.
    sign_in_from(&harness, "203.0.113.1", CODE, PIN).await.unwrap();
    harness.clock.advance(SignedDuration::from_mins(15));
    sign_in().await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn only_known_devices_sign_in_while_the_gateway_limits_others() {
    let harness = Harness::seeded().await;
    let sign_in = |device| send_sign_in(&harness, device, "203.0.113.1", CODE, PIN, true);
    for unknown in ["", TABLET] {
        assert_eq!(sign_in(unknown).await.unwrap_err().reason, "STAFF_LOCKED_OUT");
    }
    sign_in_on(&harness, TABLET, "203.0.113.1", CODE, PIN)
        .await
        .unwrap();
    sign_in(TABLET).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn a_device_is_forgotten_with_a_new_pin_and_after_ninety_days() {
    let harness = Harness::seeded().await;
    let sign_in = |device| send_sign_in(&harness, device, "203.0.113.1", CODE, PIN, true);
    let register = |device| sign_in_on(&harness, device, "203.0.113.1", CODE, PIN);
    register(TABLET).await.unwrap();
    let pin = PIN.parse().unwrap();
    set_staff_pin(&harness.cx, first_store(&harness).await, None, &pin, |_| Ok(()))
        .await
        .unwrap();
    assert_eq!(sign_in(TABLET).await.unwrap_err().reason, "STAFF_LOCKED_OUT");
    register(TABLET).await.unwrap();
    harness.clock.advance(SignedDuration::from_hours(90 * 24));
    register("another device").await.unwrap();
    assert_eq!(sign_in(TABLET).await.unwrap_err().reason, "STAFF_LOCKED_OUT");
    sign_in("another device").await.unwrap();
    let ids = harness
        .count("SELECT count(*) FROM staff_devices WHERE encode(device_hash, 'escape') LIKE '%device%'")
        .await;
    assert_eq!(ids, 0, "only a hash is stored");
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
    let taken = set_staff_pin(&harness.cx, store, Some("seed-02".parse().unwrap()), &pin, |_| {
        Ok(())
    })
    .await;
    assert!(taken.unwrap_err().to_string().contains("SEED-02"));
    let unknown = set_staff_pin(&harness.cx, unknown_store(), None, &pin, |_| Ok(())).await;
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
