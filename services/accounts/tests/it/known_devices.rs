//! A device that signed in before cannot be locked out by others.

use std::time::Duration;

use accounts::ops::{login::LoginError, verify::VerifyError};
use tokio::time::timeout;

use crate::harness::{Harness, incorrect_code};

const PHONE: &str = "(415) 555-0123";
const OWN: &str = "owner's device";
const FOREIGN: &str = "stranger's device";

async fn harness_with_known_device() -> Harness {
    let harness = Harness::new().await;
    harness.sign_in(PHONE, OWN).await;
    harness.advance(Duration::from_mins(1));
    harness
}

#[tokio::test]
async fn requests_of_others_neither_delay_nor_replace_the_code_of_a_known_device() {
    let harness = harness_with_known_device().await;
    harness.login(PHONE, FOREIGN).await.unwrap();
    // Within the interval between codes, which does not include those of others.
    harness.advance(Duration::from_secs(1));
    let code = harness.request_code(PHONE, OWN).await;
    for _ in 0..4 {
        harness.advance(Duration::from_secs(31));
        harness.login(PHONE, FOREIGN).await.unwrap();
    }
    harness.verify(PHONE, &code, OWN).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn the_limit_of_codes_for_others_does_not_apply_to_a_known_device() {
    let mut harness = harness_with_known_device().await;
    for _ in 0..5 {
        harness.login(PHONE, FOREIGN).await.unwrap();
        harness.advance(Duration::from_secs(31));
    }
    assert!(matches!(
        harness.login(PHONE, FOREIGN).await,
        Err(LoginError::TooManyCodes { .. })
    ));
    harness.login(PHONE, OWN).await.unwrap();
    // The same is true for the limits per prefix and in total.
    harness.cx.rules.sign_in_codes_per_prefix_per_hour = 1;
    harness.cx.rules.sign_in_codes_in_total_per_hour = 1;
    assert!(harness.login("4155550188", FOREIGN).await.is_err());
    harness.advance(Duration::from_secs(31));
    harness.login(PHONE, OWN).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn attempts_of_others_do_not_use_up_the_code_of_a_known_device() {
    let harness = harness_with_known_device().await;
    let code = harness.request_code(PHONE, OWN).await;
    for _ in 0..12 {
        assert!(
            harness
                .verify(PHONE, incorrect_code(&code), FOREIGN)
                .await
                .is_err()
        );
    }
    harness.verify(PHONE, &code, OWN).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_of_a_known_device_is_not_valid_on_another_device() {
    let harness = harness_with_known_device().await;
    let code = harness.request_code(PHONE, OWN).await;
    for device in [FOREIGN, ""] {
        assert!(matches!(
            harness.verify(PHONE, &code, device).await,
            Err(VerifyError::IncorrectCode)
        ));
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_known_device_has_ten_attempts_an_hour_as_well() {
    let harness = harness_with_known_device().await;
    for _ in 0..2 {
        let code = harness.request_code(PHONE, OWN).await;
        for _ in 0..5 {
            assert!(matches!(
                harness.verify(PHONE, incorrect_code(&code), OWN).await,
                Err(VerifyError::IncorrectCode)
            ));
        }
        harness.advance(Duration::from_mins(1));
    }
    let code = harness.request_code(PHONE, OWN).await;
    assert!(matches!(
        harness.verify(PHONE, &code, OWN).await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_device_of_another_consumer_is_not_known() {
    let harness = harness_with_known_device().await;
    harness.sign_in("4155550199", FOREIGN).await;
    for _ in 0..10 {
        assert!(harness.verify(PHONE, "000000", FOREIGN).await.is_err());
    }
    assert!(matches!(
        harness.verify(PHONE, "000000", "a third device").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn ten_guesses_an_hour_are_checked_and_the_owner_can_still_sign_in() {
    let harness = harness_with_known_device().await;
    let mut evaluated = Vec::new();
    for guess in 0_u32..600 {
        // A new device for each guess, and a new code whenever one is sent. Three hours in all.
        let device = format!("device {guess}");
        drop(harness.login(PHONE, &device).await);
        match harness.verify(PHONE, "000000", &device).await {
            Err(VerifyError::IncorrectCode) => evaluated.push(guess),
            Err(VerifyError::TooManyAttempts { .. }) => {}
            result => panic!("{result:?}"),
        }
        harness.advance(Duration::from_secs(9));
        if guess % 200 == 100 {
            harness.sign_in(PHONE, OWN).await;
        }
        harness.advance(Duration::from_secs(9));
    }
    // The sign-in that made the device known was an attempt as well.
    assert!((30..=40).contains(&evaluated.len()), "{evaluated:?}");
    let guesses_per_hour = 3600 / 18;
    for (index, first) in evaluated.iter().enumerate() {
        let in_hour = evaluated[index..]
            .iter()
            .filter(|guess| **guess < first + guesses_per_hour);
        assert!(in_hour.count() <= 10, "{evaluated:?}");
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn requests_above_the_limits_do_not_wait_for_other_requests_of_the_number() {
    let harness = harness_with_known_device().await;
    let code = harness.request_code(PHONE, FOREIGN).await;
    for _ in 0..10 {
        harness
            .verify(PHONE, incorrect_code(&code), FOREIGN)
            .await
            .unwrap_err();
    }
    // As a request of the owner does.
    let mut owner = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind("+14155550123")
        .execute(&mut *owner)
        .await
        .unwrap();
    let rejected = timeout(Duration::from_secs(5), async {
        (
            harness.verify(PHONE, &code, FOREIGN).await,
            harness.login(PHONE, FOREIGN).await,
        )
    });
    let (verified, sent) = rejected.await.unwrap();
    assert!(matches!(verified, Err(VerifyError::TooManyAttempts { .. })));
    assert!(matches!(sent, Err(LoginError::TooManyCodes { .. })));
    owner.commit().await.unwrap();
    harness.database.drop().await;
}
