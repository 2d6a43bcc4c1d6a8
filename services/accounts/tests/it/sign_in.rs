use std::time::Duration;

use accounts::{
    domain::sign_in::DemoLogin,
    ops::{login::LoginError, verify::VerifyError},
};
use contacts::Phone;
use futures::future::join_all;

use crate::harness::{Harness, incorrect_code};

const PHONE: &str = "(415) 555-0123";
const OTHER_PHONE: &str = "415 555 0199";

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
    let code = harness.request_code(PHONE, "").await;
    harness.verify(PHONE, &code, "").await.unwrap();
    assert!(matches!(
        harness.verify(PHONE, &code, "").await,
        Err(VerifyError::IncorrectCode)
    ));

    harness.advance(Duration::from_mins(1));
    let code = harness.request_code(PHONE, "").await;
    harness.advance(Duration::from_secs(601));
    assert!(matches!(
        harness.verify(PHONE, &code, "").await,
        Err(VerifyError::IncorrectCode)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_is_valid_only_for_its_own_number() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE, "").await;
    let other = harness.request_code(OTHER_PHONE, "").await;
    if code != other {
        assert!(matches!(
            harness.verify(OTHER_PHONE, &code, "").await,
            Err(VerifyError::IncorrectCode)
        ));
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn malformed_codes_do_not_count_as_attempts() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE, "").await;
    for malformed in ["", "12345", "1234567", "123456\u{e9}"]
        .into_iter()
        .cycle()
        .take(12)
    {
        assert!(matches!(
            harness.verify(PHONE, malformed, "").await,
            Err(VerifyError::MalformedCode)
        ));
    }
    harness.verify(PHONE, &code, "").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn after_five_attempts_the_correct_code_is_rejected() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE, "").await;
    for _ in 0..5 {
        assert!(matches!(
            harness.verify(PHONE, incorrect_code(&code), "").await,
            Err(VerifyError::IncorrectCode)
        ));
    }
    assert!(matches!(
        harness.verify(PHONE, &code, "").await,
        Err(VerifyError::IncorrectCode)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_new_code_does_not_reset_the_attempts_of_the_account() {
    let harness = Harness::new().await;
    for _ in 0..2 {
        harness.advance(Duration::from_mins(1));
        let code = harness.request_code(PHONE, "").await;
        for _ in 0..5 {
            let result = harness
                .verify(PHONE, incorrect_code(&code), "attacker's device")
                .await;
            assert!(result.is_err());
        }
    }
    harness.advance(Duration::from_mins(1));
    let code = harness.request_code(PHONE, "").await;
    assert!(matches!(
        harness.verify(PHONE, &code, "attacker's device").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.advance(Duration::from_secs(3601));
    let code = harness.request_code(PHONE, "").await;
    harness.verify(PHONE, &code, "attacker's device").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn twenty_concurrent_attempts_count_as_twenty() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE, "").await;
    let incorrect = incorrect_code(&code);
    let results = join_all((0..20).map(|_| harness.verify(PHONE, incorrect, ""))).await;
    let accepted = results.iter().filter(|result| result.is_ok()).count();
    let over_limit = results
        .iter()
        .filter(|result| matches!(result, Err(VerifyError::TooManyAttempts { .. })))
        .count();
    assert_eq!((accepted, over_limit), (0, 10));
    harness.database.drop().await;
}

#[tokio::test]
async fn twenty_concurrent_uses_of_one_code_create_one_session() {
    let harness = Harness::new().await;
    let code = harness.request_code(PHONE, "").await;
    let results = join_all((0..20).map(|_| harness.verify(PHONE, &code, ""))).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn codes_to_one_number_are_rate_limited() {
    let harness = Harness::new().await;
    harness.request_code(PHONE, "").await;
    let error = harness.login(PHONE, "").await.unwrap_err();
    assert!(
        matches!(error, LoginError::TooManyCodes { retry_after } if retry_after <= Duration::from_secs(30))
    );
    for _ in 0..5 {
        harness.advance(Duration::from_secs(31));
        harness.login(PHONE, "").await.unwrap();
    }
    harness.advance(Duration::from_secs(31));
    assert!(matches!(
        harness.login(PHONE, "").await,
        Err(LoginError::TooManyCodes { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn invalid_phone_numbers_are_rejected() {
    let harness = Harness::new().await;
    for typed in ["", "hello", "12345", "'; DROP TABLE consumers; --"] {
        assert!(
            matches!(harness.login(typed, "").await, Err(LoginError::InvalidPhone(_))),
            "{typed}"
        );
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn the_limit_of_attempts_applies_to_every_hour() {
    let harness = Harness::new().await;
    let guess = async |times: usize| {
        for _ in 0..times {
            let result = harness.verify(PHONE, "000000", "").await;
            assert!(matches!(result, Err(VerifyError::IncorrectCode)), "{result:?}");
        }
    };
    // Five attempts at the end of one clock hour, and five at the start of the next.
    guess(5).await;
    harness.advance(Duration::from_mins(50));
    guess(5).await;
    harness.advance(Duration::from_mins(9));
    let rejected = harness.verify(PHONE, "000000", "").await.unwrap_err();
    assert!(
        matches!(rejected, VerifyError::TooManyAttempts { retry_after } if retry_after == Duration::from_mins(1)),
        "{rejected:?}"
    );
    // Only the first five leave the window.
    harness.advance(Duration::from_mins(1));
    guess(5).await;
    assert!(matches!(
        harness.verify(PHONE, "000000", "").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn the_limit_of_codes_ends_with_the_window_of_the_first_one() {
    let harness = Harness::new().await;
    for _ in 0..6 {
        harness.login(PHONE, "").await.unwrap();
        harness.advance(Duration::from_mins(5));
    }
    let rejected = harness.login(PHONE, "").await.unwrap_err();
    assert!(
        matches!(rejected, LoginError::TooManyCodes { retry_after } if retry_after == Duration::from_mins(30)),
        "{rejected:?}"
    );
    harness.advance(Duration::from_mins(30));
    harness.login(PHONE, "").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn the_demo_number_signs_in_with_its_fixed_code_and_gets_no_message() {
    let mut harness = Harness::new().await;
    let phone = Phone::parse("4155550150", &harness.cx.countries).unwrap();
    let code = "314159".into();
    harness.cx.demo_login = Some(DemoLogin { phone, code });
    // The code is not valid before it is requested, and for no other number.
    assert!(harness.verify("4155550150", "314159", "").await.is_err());
    harness.login("4155550150", "").await.unwrap();
    harness.verify("4155550150", "314159", "").await.unwrap();
    assert_eq!(harness.count("messages").await, 0);
    let other = harness.request_code(PHONE, "").await;
    if other != "314159" {
        assert!(harness.verify(PHONE, "314159", "").await.is_err());
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn the_limit_of_attempts_applies_to_the_demo_number() {
    let mut harness = Harness::new().await;
    let phone = Phone::parse(PHONE, &harness.cx.countries).unwrap();
    let code = "314159".into();
    harness.cx.demo_login = Some(DemoLogin { phone, code });
    for _ in 0..2 {
        harness.login(PHONE, "").await.unwrap();
        for _ in 0..5 {
            assert!(harness.verify(PHONE, "000000", "").await.is_err());
        }
        harness.advance(Duration::from_mins(1));
    }
    harness.login(PHONE, "").await.unwrap();
    assert!(matches!(
        harness.verify(PHONE, "314159", "").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn numbers_of_other_countries_get_no_code() {
    let harness = Harness::new().await;
    for foreign in ["+49 30 901820", "+1 876 555 0123", "+1 900 555 0123"] {
        let result = harness.login(foreign, "").await;
        assert!(matches!(result, Err(LoginError::InvalidPhone(_))), "{foreign}");
    }
    assert_eq!(harness.count("messages").await, 0);
    harness.database.drop().await;
}
