//! Settings, photo and removal of the consumer.

use std::time::Duration;

use proto::accounts::v1::{
    GetPhotoRequest, GetSettingsRequest, LogoutRequest, LogoutResponse, NotificationSettings, Photo, Profile,
    RemoveConsumerRequest, RemoveConsumerResponse, SaveSettingsRequest, SetPhotoRequest, Settings,
};
use proto::giftcards::v1::{AddFundsOptions, AutoReload, GetAddFundsOptionsRequest};
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use tokio::sync::oneshot;
use types::limits::MAX_PHOTO_BYTES;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

async fn start() -> (FakeServices, Gateway, String) {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start(&services).await;
    (services, gateway, new_token())
}

fn settings() -> Settings {
    let notifications = NotificationSettings {
        push: true,
        ..Default::default()
    };
    Settings {
        notifications: Some(notifications),
        vehicle: "blue van".into(),
        ..Default::default()
    }
}

#[tokio::test]
async fn settings_are_returned_without_gift_cards_as_well() {
    let (services, gateway, token) = start().await;
    services.on("GetSettings", |_: GetSettingsRequest| Ok(settings()));
    let get = async || {
        let request = gateway.get("/api/consumer/user/settings").with_session(&token);
        status_and_body(request.send().await.unwrap()).await
    };
    let (status, body) = get().await;
    let expected = json!({ "notifications": { "push": true, "sms": false, "email": false },
        "vehicle": "blue van", "timeZone": "", "pushKey": "", "autoReload": null });
    assert_eq!((status, &body["data"]), (200, &expected));
    services.on("GetAddFundsOptions", |_: GetAddFundsOptionsRequest| {
        let auto_reload = AutoReload {
            enabled: true,
            threshold: Some(money()),
            amount: Some(money()),
            ..Default::default()
        };
        Ok(AddFundsOptions {
            auto_reload: Some(auto_reload),
            ..Default::default()
        })
    });
    assert_eq!(get().await.1["data"]["autoReload"]["enabled"], true);
}

fn money() -> proto::values::v1::Money {
    proto::values::v1::Money {
        minor_units: 1000,
        currency: "usd".into(),
    }
}

#[tokio::test]
async fn only_the_sent_settings_are_saved() {
    let (services, gateway, token) = start().await;
    services.on("SaveSettings", |_: SaveSettingsRequest| Ok(settings()));
    let body = json!({ "notifications": { "sms": false }, "vehicle": null });
    let request = gateway
        .post("/api/consumer/user/save-settings", &body)
        .with_session(&token);
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!((status, &body["data"]["vehicle"]), (200, &json!("blue van")));
    let saved: SaveSettingsRequest = services.calls("SaveSettings")[0].decode();
    let expected = SaveSettingsRequest {
        sms: Some(false),
        ..Default::default()
    };
    assert_eq!(saved, expected);
}

fn upload(gateway: &Gateway, token: &str, field: &str, file: &[u8]) -> RequestBuilder {
    let head = format!(
        "--line\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"a.jpg\"\r\ncontent-type: image/jpeg\r\n\r\n"
    );
    let body = [head.as_bytes(), file, b"\r\n--line--\r\n"].concat();
    gateway
        .request(Method::POST, "/api/consumer/user/photo")
        .with_session(token)
        .header("content-type", "multipart/form-data; boundary=line")
        .body(body)
}

#[tokio::test]
async fn a_photo_is_uploaded_as_a_form_and_served_to_be_cached() {
    let (services, gateway, token) = start().await;
    services.on("SetPhoto", |_: SetPhotoRequest| {
        Ok(Profile {
            photo_id: "abc".into(),
            ..Default::default()
        })
    });
    services.on("GetPhoto", |request: GetPhotoRequest| {
        assert_eq!(request.photo_id, "abc");
        Ok(Photo {
            image: b"jpeg".to_vec(),
        })
    });
    // Larger than the bodies of other calls and than the default limit of a gRPC message.
    let file = vec![7; 5 << 20];
    let response = upload(&gateway, &token, "photo", &file).send().await.unwrap();
    let (status, body) = status_and_body(response).await;
    let path = "/api/consumer/user/profile-photo?photoId=abc";
    assert_eq!((status, &body["data"]["photo"]), (200, &json!(path)));
    let received: SetPhotoRequest = services.calls("SetPhoto")[0].decode();
    assert!(received.image == file);
    let photo = gateway.get(path).with_session(&token).send().await.unwrap();
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(photo.headers()[name], value);
    }
    assert_eq!(&photo.bytes().await.unwrap()[..], b"jpeg");
}

/// Returns an upload of a photo whose second half is sent after `pause`.
fn slow_upload(
    gateway: &Gateway,
    token: &str,
    pause: impl Future<Output = ()> + Send + 'static,
) -> RequestBuilder {
    let request = upload(gateway, token, "photo", &[7; 1_000]).build().unwrap();
    let mut first = request.body().unwrap().as_bytes().unwrap().to_vec();
    let rest = first.split_off(500);
    let parts = async_stream::stream! {
        yield Ok::<_, std::convert::Infallible>(first);
        pause.await;
        yield Ok(rest);
    };
    RequestBuilder::from_parts(gateway.client.clone(), request).body(reqwest::Body::wrap_stream(parts))
}

/// The body takes longer than the time for the calls of a request, and than the time for other bodies.
#[tokio::test]
async fn a_photo_that_arrives_slowly_is_stored() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("SetPhoto", |_: SetPhotoRequest| Ok(Profile::default()));
    let gateway = Gateway::start_with(&services, &[("CLIENT_TIMEOUT_SECONDS", "6")]).await;
    let pause = tokio::time::sleep(Duration::from_millis(10_500));
    let response = slow_upload(&gateway, &new_token(), pause).send().await.unwrap();
    let (status, body) = status_and_body(response).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(services.calls("SetPhoto").len(), 1);
}

/// The browser may have the cookie of a new session.
#[tokio::test]
async fn a_call_during_which_its_session_ends_does_not_extend_the_cookie() {
    let (services, gateway, token) = start().await;
    services.on("SetPhoto", |_: SetPhotoRequest| Ok(Profile::default()));
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let (resume, resumed) = oneshot::channel::<()>();
    let pause = async move { resumed.await.unwrap() };
    let upload = tokio::spawn(slow_upload(&gateway, &token, pause).send());
    while services.calls("GetSession").is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let logout = gateway.post("/api/consumer/authentication/logout", &json!({}));
    assert_eq!(logout.with_session(&token).send().await.unwrap().status(), 200);
    resume.send(()).unwrap();
    let response = upload.await.unwrap().unwrap();
    assert_eq!(response.status(), 200);
    assert!(!response.headers().contains_key("set-cookie"));
}

#[tokio::test]
async fn forms_without_a_photo_are_rejected() {
    let (services, gateway, token) = start().await;
    let json = gateway.post("/api/consumer/user/photo", &json!({}));
    let broken = upload(&gateway, &token, "photo", b"").body("--line\r\nno headers");
    for (request, reason) in [
        (upload(&gateway, &token, "avatar", b"jpeg"), "MALFORMED_BODY"),
        (broken, "MALFORMED_BODY"),
        (json.with_session(&token), "CONTENT_TYPE"),
    ] {
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!((status, body["reason"].as_str()), (400, Some(reason)));
    }
    assert!(services.calls("SetPhoto").is_empty());
}

/// The same error as accounts returns for a photo that is a little too large.
#[tokio::test]
async fn a_photo_larger_than_the_limit_of_the_body_is_too_large() {
    let (services, gateway, token) = start().await;
    for excess in [8_192, 4 << 20] {
        let file = vec![0; MAX_PHOTO_BYTES + excess];
        let response = upload(&gateway, &token, "photo", &file).send().await.unwrap();
        let (status, body) = status_and_body(response).await;
        assert_eq!(
            (status, &body["reason"], &body["field"], &body["errors"]),
            (
                422,
                &json!("PHOTO_TOO_LARGE"),
                &json!("photo"),
                &json!(["That photo is too large. Please choose one of up to 8 MB."])
            )
        );
    }
    assert!(services.calls("SetPhoto").is_empty());
}

#[tokio::test]
async fn a_removed_consumer_keeps_no_cookies() {
    let (services, gateway, token) = start().await;
    services.on("RemoveConsumer", |_: RemoveConsumerRequest| {
        Ok(RemoveConsumerResponse {})
    });
    let request = gateway.request(Method::POST, "/api/consumer/user/remove");
    let response = request.with_session(&token).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let cookies: Vec<_> = response.headers().get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
    for (cookie, start) in cookies
        .iter()
        .zip(["session=; Path=/; Max-Age=0", "device=; Path=/; Max-Age=0"])
    {
        assert!(cookie.to_str().unwrap().starts_with(start), "{cookie:?}");
    }
}
