//! Share codes.

use accounts::{
    domain::profile::SetName,
    ops::{
        get_share_code::{GetShareCodeError, get_share_code},
        remove_consumer::remove_consumer,
        set_name::set_name,
    },
};

use crate::harness::Harness;

const PHONE: &str = "(415) 555-0123";

#[tokio::test]
async fn a_code_is_found_as_typed_and_names_only_the_first_name() {
    let harness = Harness::new().await;
    let signed_in = harness.sign_in(PHONE, "").await;
    let name = SetName {
        first_name: "Ada".to_owned(),
        last_name: "Lovelace".to_owned(),
        email: None,
    };
    set_name(&harness.cx, signed_in.session.consumer_id, name)
        .await
        .unwrap();
    let code = signed_in.profile.share_code;
    assert_eq!(code.len(), 8);
    for typed in [code.clone(), code.to_lowercase(), format!("  {code} ")] {
        let found = get_share_code(&harness.cx, &typed).await.unwrap();
        assert_eq!((&*found.code, &*found.first_name), (&*code, "Ada"));
        assert_eq!(found.consumer_id, signed_in.session.consumer_id);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn an_unknown_code_and_that_of_a_removed_consumer_are_errors() {
    let harness = Harness::new().await;
    let signed_in = harness.sign_in(PHONE, "").await;
    let (consumer, session) = (signed_in.session.consumer_id, signed_in.session.id);
    let code = signed_in.profile.share_code;
    for unknown in [
        "",
        "AAAAAAAA",
        "%",
        "a code that is much longer than eight letters",
        "\0",
    ] {
        assert!(
            matches!(
                get_share_code(&harness.cx, unknown).await,
                Err(GetShareCodeError::Unknown)
            ),
            "{unknown:?}"
        );
    }
    remove_consumer(&harness.cx, consumer, session).await.unwrap();
    assert!(matches!(
        get_share_code(&harness.cx, &code).await,
        Err(GetShareCodeError::Unknown)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn codes_of_consumers_differ() {
    let harness = Harness::new().await;
    let first = harness.sign_in(PHONE, "").await.profile.share_code;
    let again = harness.sign_in("4155550199", "").await.profile.share_code;
    assert_ne!(first, again);
    harness.database.drop().await;
}
