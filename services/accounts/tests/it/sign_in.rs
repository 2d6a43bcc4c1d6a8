use std::time::Duration;

use accounts::ops::{
    login::{LoginError, login},
    verify::{VerifyError, verify},
};

use crate::harness::Harness;

const PHONE: &str = "(415) 555-0123";

fn wrong(code: &str) -> String {
    if code == "000000" {
        "000001".to_owned()
    } else {
        "000000".to_owned()
    }
}

#[tokio::test]
async fn a_new_number_is_registered_and_a_known_one_is_not() {
    let harness = Harness::new().await;
    let first = harness.signs_in(PHONE, "phone").await;
    assert!(first.needs_name);
    harness.later(Duration::from_secs(60));
    let second = harness.signs_in("+14155550123", "phone").await;
    assert_eq!(
        first.session.unwrap().consumer_id,
        second.session.unwrap().consumer_id
    );
    assert_ne!(first.session_token, second.session_token);
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["accounts.ConsumerRegistered"]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_is_good_once_and_not_for_ever() {
    let harness = Harness::new().await;
    let code = harness.code_for(PHONE).await;
    verify(&harness.cx, PHONE, &code, "").await.unwrap();
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "").await,
        Err(VerifyError::WrongCode)
    ));

    harness.later(Duration::from_secs(60));
    let code = harness.code_for(PHONE).await;
    harness.later(Duration::from_secs(601));
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "").await,
        Err(VerifyError::WrongCode)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_of_another_number_is_of_no_use() {
    let harness = Harness::new().await;
    let code = harness.code_for(PHONE).await;
    let other = harness.code_for("415 555 0199").await;
    if code != other {
        assert!(matches!(
            verify(&harness.cx, "415 555 0199", &code, "").await,
            Err(VerifyError::WrongCode)
        ));
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn after_five_tries_even_the_right_code_is_refused() {
    let harness = Harness::new().await;
    let code = harness.code_for(PHONE).await;
    for _ in 0..5 {
        assert!(matches!(
            verify(&harness.cx, PHONE, &wrong(&code), "").await,
            Err(VerifyError::WrongCode)
        ));
    }
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "").await,
        Err(VerifyError::WrongCode)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_new_code_does_not_reset_the_count_of_the_account() {
    let harness = Harness::new().await;
    harness.signs_in(PHONE, "own device").await;
    for _ in 0..2 {
        harness.later(Duration::from_secs(60));
        let code = harness.code_for(PHONE).await;
        for _ in 0..5 {
            let _refused = verify(&harness.cx, PHONE, &wrong(&code), "a stranger's")
                .await
                .unwrap_err();
        }
    }
    harness.later(Duration::from_secs(60));
    let code = harness.code_for(PHONE).await;
    assert!(matches!(
        verify(&harness.cx, PHONE, &code, "a stranger's").await,
        Err(VerifyError::TooMany)
    ));
    // The owner's device has a count of its own and is not locked out by the stranger.
    verify(&harness.cx, PHONE, &code, "own device").await.unwrap();
    harness.later(Duration::from_secs(3601));
    let code = harness.code_for(PHONE).await;
    verify(&harness.cx, PHONE, &code, "a stranger's").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn twenty_guesses_at_once_count_as_twenty() {
    let harness = Harness::new().await;
    let code = harness.code_for(PHONE).await;
    let wrong = wrong(&code);
    let guesses = (0..20).map(|_| verify(&harness.cx, PHONE, &wrong, ""));
    let outcomes = futures::future::join_all(guesses).await;
    let too_many = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(VerifyError::TooMany)))
        .count();
    assert_eq!(
        (
            outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
            too_many
        ),
        (0, 10)
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn one_code_used_twenty_times_at_once_begins_one_session() {
    let harness = Harness::new().await;
    let code = harness.code_for(PHONE).await;
    let outcomes = futures::future::join_all((0..20).map(|_| verify(&harness.cx, PHONE, &code, ""))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn codes_are_not_pumped() {
    let harness = Harness::new().await;
    harness.code_for(PHONE).await;
    let again = login(&harness.cx, PHONE).await.unwrap_err();
    assert!(matches!(again, LoginError::TooMany { again } if again <= Duration::from_secs(30)));
    for _ in 0..5 {
        harness.later(Duration::from_secs(31));
        login(&harness.cx, PHONE).await.unwrap();
    }
    harness.later(Duration::from_secs(31));
    assert!(matches!(
        login(&harness.cx, PHONE).await,
        Err(LoginError::TooMany { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn rubbish_is_no_phone() {
    let harness = Harness::new().await;
    for typed in ["", "hello", "12345", "'; DROP TABLE consumers; --"] {
        assert!(
            matches!(login(&harness.cx, typed).await, Err(LoginError::Phone(_))),
            "{typed}"
        );
    }
    harness.database.drop().await;
}
