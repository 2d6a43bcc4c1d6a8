use std::time::Duration;

use accounts::ops::{
    login::{LoginError, login},
    verify::{VerifyError, verify},
};
use futures::future::join_all;

use crate::harness::Harness;

const PHONE: &str = "(415) 555-0123";
const OTHER_PHONE: &str = "415 555 0199";

fn incorrect_code(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn the_first_sign_in_registers_the_number_and_later_ones_do_not() {
    let harness = Harness::new().await;
    let first = harness.sign_in(PHONE, "phone").await;
    assert!(first.profile.first_name.is_empty());
    harness.advance(Duration::from_mins(1));
    let second = harness.sign_in("+14155550123", "phone").await;
    assert_eq!(first.session.consumer_id, second.session.consumer_id);
    assert_ne!(first.token, second.token);
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["accounts.ConsumerRegistered"]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_can_be_used_once_and_expires() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE).await;
    verify(&harness.cx, PHONE, &code, "").await.unwrap();
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "").await,
        Err(VerifyError::IncorrectCode)
    ));

    harness.advance(Duration::from_mins(1));
    let code = harness.request_code(PHONE).await;
    harness.advance(Duration::from_secs(601));
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "").await,
        Err(VerifyError::IncorrectCode)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_is_valid_only_for_its_own_number() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE).await;
    let other = harness.request_code(OTHER_PHONE).await;
    if code != other {
        assert!(matches!(
            verify(&harness.cx, OTHER_PHONE, &code, "").await,
            Err(VerifyError::IncorrectCode)
        ));
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn malformed_codes_do_not_count_as_attempts() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE).await;
    for malformed in ["", "12345", "1234567", "123456\u{e9}"]
        .into_iter()
        .cycle()
        .take(12)
    {
        assert!(matches!(
            verify(&harness.cx, PHONE, malformed, "").await,
            Err(VerifyError::MalformedCode)
        ));
    }
    verify(&harness.cx, PHONE, &code, "").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn after_five_attempts_the_correct_code_is_rejected() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE).await;
    for _ in 0..5 {
        assert!(matches!(
            verify(&harness.cx, PHONE, incorrect_code(&code), "").await,
            Err(VerifyError::IncorrectCode)
        ));
    }
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "").await,
        Err(VerifyError::IncorrectCode)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_new_code_does_not_reset_the_attempts_of_the_account() {
    let harness = Harness::new().await;
    harness.sign_in(PHONE, "owner's device").await;
    for _ in 0..2 {
        harness.advance(Duration::from_mins(1));
        let code = harness.request_code(PHONE).await;
        for _ in 0..5 {
            let result = verify(&harness.cx, PHONE, incorrect_code(&code), "attacker's device").await;
            assert!(result.is_err());
        }
    }
    harness.advance(Duration::from_mins(1));
    let code = harness.request_code(PHONE).await;
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "attacker's device").await,
        Err(VerifyError::TooManyAttempts)
    ));
    // The owner's device has its own count, so the attacker does not lock it out.
    verify(&harness.cx, PHONE, &code, "owner's device").await.unwrap();
    harness.advance(Duration::from_secs(3601));
    let code = harness.request_code(PHONE).await;
    verify(&harness.cx, PHONE, &code, "attacker's device")
        .await
        .unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn twenty_concurrent_attempts_count_as_twenty() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE).await;
    let incorrect = incorrect_code(&code);
    let results = join_all((0..20).map(|_| verify(&harness.cx, PHONE, incorrect, ""))).await;
    let accepted = results.iter().filter(|result| result.is_ok()).count();
    let over_limit = results
        .iter()
        .filter(|result| matches!(result, Err(VerifyError::TooManyAttempts)))
        .count();
    assert_eq!((accepted, over_limit), (0, 10));
    harness.database.drop().await;
}

#[tokio::test]
async fn twenty_concurrent_uses_of_one_code_create_one_session() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE).await;
    let results = join_all((0..20).map(|_| verify(&harness.cx, PHONE, &code, ""))).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn codes_to_one_number_are_limited_in_rate() {
    let harness = Harness::new().await;
    harness.request_code(PHONE).await;
    let error = login(&harness.cx, PHONE).await.unwrap_err();
    assert!(
        matches!(error, LoginError::TooManyCodes { retry_after } if retry_after <= Duration::from_secs(30))
    );
    for _ in 0..5 {
        harness.advance(Duration::from_secs(31));
        login(&harness.cx, PHONE).await.unwrap();
    }
    harness.advance(Duration::from_secs(31));
    assert!(matches!(
        login(&harness.cx, PHONE).await,
        Err(LoginError::TooManyCodes { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn invalid_phone_numbers_are_rejected() {
    let harness = Harness::new().await;
    for typed in ["", "hello", "12345", "'; DROP TABLE consumers; --"] {
        assert!(
            matches!(login(&harness.cx, typed).await, Err(LoginError::InvalidPhone(_))),
            "{typed}"
        );
    }
    harness.database.drop().await;
}
