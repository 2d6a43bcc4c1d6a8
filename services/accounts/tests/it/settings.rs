//! The consumer's settings.

use accounts::{
    domain::settings::{SaveSettings, Settings},
    ops::{
        get_settings::{GetSettingsError, get_settings},
        save_settings::{SaveSettingsError, save_settings},
    },
};
use types::{ConsumerId, limits::MAX_VEHICLE_CHARS};

use crate::harness::Harness;

const PHONE: &str = "(415) 555-0123";

fn defaults() -> Settings {
    Settings {
        push: true,
        sms: false,
        email: true,
        vehicle: String::new(),
        time_zone: String::new(),
    }
}

#[tokio::test]
async fn only_the_settings_of_the_command_change() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let other = harness.sign_in("4155550199", "").await.session.consumer_id;
    assert_eq!(get_settings(&harness.cx, consumer).await.unwrap(), defaults());
    let command = SaveSettings {
        sms: Some(true),
        vehicle: Some(" blue  van ".to_owned()),
        ..SaveSettings::default()
    };
    let saved = Settings {
        sms: true,
        vehicle: "blue van".to_owned(),
        ..defaults()
    };
    // Repeatable.
    for _ in 0..2 {
        assert_eq!(
            save_settings(&harness.cx, consumer, command.clone())
                .await
                .unwrap(),
            saved
        );
    }
    let command = SaveSettings {
        push: Some(false),
        email: Some(false),
        vehicle: Some(String::new()),
        ..SaveSettings::default()
    };
    save_settings(&harness.cx, consumer, command).await.unwrap();
    let changed = Settings {
        push: false,
        sms: true,
        email: false,
        vehicle: String::new(),
        time_zone: String::new(),
    };
    assert_eq!(get_settings(&harness.cx, consumer).await.unwrap(), changed);
    assert_eq!(get_settings(&harness.cx, other).await.unwrap(), defaults());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_long_vehicle_and_an_unknown_consumer_are_rejected() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let command = SaveSettings {
        sms: Some(true),
        vehicle: Some("x".repeat(MAX_VEHICLE_CHARS + 1)),
        ..SaveSettings::default()
    };
    assert!(matches!(
        save_settings(&harness.cx, consumer, command).await,
        Err(SaveSettingsError::VehicleTooLong(_))
    ));
    assert_eq!(get_settings(&harness.cx, consumer).await.unwrap(), defaults());
    let unknown = ConsumerId::new(harness.cx.clock.now());
    assert!(matches!(
        get_settings(&harness.cx, unknown).await,
        Err(GetSettingsError::NotFound)
    ));
    assert!(matches!(
        save_settings(&harness.cx, unknown, SaveSettings::default()).await,
        Err(SaveSettingsError::NotFound)
    ));
    harness.database.drop().await;
}
