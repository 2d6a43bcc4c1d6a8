//! Local push, SMS and mail servers that receive notifications.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use accounts::{
    NotificationRules,
    config::NotificationConfig,
    domain::{notification::RequestedNotification, push::PushSubscription, session::NewSession},
    ops::save_push_subscription::save_push_subscription,
    sender::Senders,
    workers,
};
use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use jiff::Timestamp;
use kit::lifecycle::Process;
use proto::rewards::v1::{
    NotificationEvent, NotificationParameters, NotificationRequested, notification_event::Change,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use types::{ConsumerId, MessageId, OrderId};
use web_push_native::p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint as _};

use crate::{harness::Harness, messages::sender_of};

/// Private key of this server in base64url: 32 bytes of 7.
const VAPID_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
const AUTH: [u8; 16] = [9; 16];

#[derive(Debug, Clone, PartialEq)]
pub struct Push {
    pub device: String,
    pub message: Value,
    pub urgency: String,
    pub topic: String,
    pub ttl: u64,
}

/// A request to the API that pushes to the native app.
#[derive(Debug, Clone, PartialEq)]
pub struct NativePush {
    pub idempotency_key: String,
    pub body: Value,
}

#[derive(Debug, Default)]
struct Received {
    pushes: Vec<Push>,
    native_pushes: Vec<NativePush>,
    texts: Vec<Value>,
    mails: Vec<String>,
    /// Statuses of the next responses to pushes and texts; then 201.
    push_statuses: Vec<u16>,
    text_statuses: Vec<u16>,
    drops_mail: bool,
    holds_native_pushes: bool,
}

type Shared = Arc<Mutex<Received>>;

pub struct Servers {
    received: Shared,
    http_url: String,
    smtp_url: String,
}

/// The browser's private key.
fn browser_key() -> SecretKey {
    SecretKey::from_slice(&[3; 32]).unwrap()
}

impl Servers {
    pub async fn start() -> Self {
        let received = Shared::default();
        let router = Router::new()
            .route("/push/{device}", post(receive_push))
            .route("/native-push", post(receive_native_push))
            .route("/sms", post(receive_text))
            .with_state(Arc::clone(&received));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http_url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let smtp_url = format!("smtp://{}", listener.local_addr().unwrap());
        tokio::spawn(accept_mails(listener, Arc::clone(&received)));
        Self {
            received,
            http_url,
            smtp_url,
        }
    }

    fn config(&self) -> NotificationConfig {
        serde_json::from_value(json!({
            "vapid_private_key": VAPID_KEY,
            "vapid_subject": "mailto:ops@example.com",
            "push_hosts": self.http_url,
            "native_push_url": format!("{}/native-push", self.http_url),
            "smtp_url": self.smtp_url,
            "email_from": "Order Ahead <orders@example.com>",
            "public_origin": "https://order.example.com,http://127.0.0.1",
        }))
        .unwrap()
    }

    fn senders(&self) -> Senders {
        let messages = sender_of(json!({ "sms_url": format!("{}/sms", self.http_url) }));
        Senders::new(messages, &self.config()).unwrap()
    }

    pub fn configure(&self, harness: &mut Harness) {
        harness.cx.notifications = NotificationRules::new(&self.config(), &self.senders()).unwrap();
    }

    /// Registers a browser with this name for the session.
    pub async fn register(&self, harness: &Harness, signed_in: &NewSession, device: &str) {
        let point = browser_key().public_key().to_encoded_point(false);
        let subscription = PushSubscription::web(
            format!("{}/push/{device}", self.http_url),
            point.as_bytes().to_vec(),
            AUTH.to_vec(),
            &harness.cx.notifications.push_hosts,
        );
        save_subscription(harness, signed_in, &subscription.unwrap()).await;
    }

    /// Registers the native app with this token for the session.
    pub async fn register_app(&self, harness: &Harness, signed_in: &NewSession, token: &str) {
        let subscription = PushSubscription::native(token.to_owned()).unwrap();
        save_subscription(harness, signed_in, &subscription).await;
    }

    /// Responds to the next pushes, and to the next texts, with these statuses.
    pub fn fail_next(&self, statuses: &[u16]) {
        let mut received = self.received.lock().unwrap();
        received.push_statuses = statuses.iter().rev().copied().collect();
        let statuses = received.push_statuses.clone();
        received.text_statuses = statuses;
    }

    /// Closes the connection instead of confirming the next mail.
    pub fn drop_next_mail(&self) {
        self.received.lock().unwrap().drops_mail = true;
    }

    /// Sends no responses to native pushes until this is called with `false`.
    pub fn hold_native_pushes(&self, is_held: bool) {
        self.received.lock().unwrap().holds_native_pushes = is_held;
    }

    pub fn start_workers(&self, harness: &Harness) -> Process {
        let process = Process::detached("accounts");
        workers::start(&process, &harness.cx, &Arc::new(self.senders()));
        process
    }

    /// Runs the workers until no due notification is left, at most twenty seconds.
    pub async fn run_workers(&self, harness: &Harness) {
        let process = self.start_workers(harness);
        for _ in 0..200 {
            let now = harness.cx.clock.now();
            let due: i64 = sqlx::query_scalar(
                "SELECT (SELECT count(*) FROM notifications WHERE state IN ('queued', 'sending') AND send_after <= $1
                             AND expires_at > $1)
                     + (SELECT count(*) FROM email_verifications WHERE NOT is_finished AND expires_at > $1)",
            )
            .bind(jiff_sqlx::ToSqlx::to_sqlx(now))
            .fetch_one(&harness.cx.pool)
            .await
            .unwrap();
            if due == 0 {
                return stop_workers(process).await;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("notifications not sent in time");
    }

    /// Attempts included that were responded to with an error.
    pub fn pushes(&self) -> Vec<Push> {
        self.received.lock().unwrap().pushes.clone()
    }

    /// Attempts included that were responded to with an error.
    pub fn native_pushes(&self) -> Vec<NativePush> {
        self.received.lock().unwrap().native_pushes.clone()
    }

    pub fn texts(&self) -> Vec<Value> {
        self.received.lock().unwrap().texts.clone()
    }

    pub fn mails(&self) -> Vec<String> {
        self.received.lock().unwrap().mails.clone()
    }
}

pub async fn stop_workers(process: Process) {
    process.shutdown.cancel();
    process.tasks.close();
    process.tasks.wait().await;
}

async fn save_subscription(harness: &Harness, signed_in: &NewSession, subscription: &PushSubscription) {
    let (consumer, session) = (signed_in.session.consumer_id, signed_in.session.id);
    save_push_subscription(&harness.cx, consumer, session, subscription)
        .await
        .unwrap();
}

async fn receive_push(
    State(received): State<Shared>,
    Path(device): Path<String>,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> StatusCode {
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-encoding"), "aes128gcm");
    let authorization = header("authorization");
    let (token, key) = authorization
        .strip_prefix("vapid t=")
        .and_then(|rest| rest.split_once(", k="))
        .unwrap();
    assert_is_signed(token, key, &headers["host"]);
    let auth = web_push_native::Auth::from(AUTH);
    let message = web_push_native::decrypt(body.to_vec(), &browser_key(), &auth).unwrap();
    let mut received = received.lock().unwrap();
    received.pushes.push(Push {
        device,
        message: serde_json::from_slice(&message).unwrap(),
        urgency: header("urgency"),
        topic: header("topic"),
        ttl: header("ttl").parse().unwrap(),
    });
    StatusCode::from_u16(received.push_statuses.pop().unwrap_or(201)).unwrap()
}

/// Verifies the token of this server as a push service does.
fn assert_is_signed(token: &str, key: &str, host: &axum::http::HeaderValue) {
    use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
    use jsonwebtoken::{Algorithm, DecodingKey, Validation};
    let point = BASE64_URL_SAFE_NO_PAD.decode(key).unwrap();
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_audience(&[format!("http://{}", host.to_str().unwrap())]);
    let claims =
        jsonwebtoken::decode::<Value>(token, &DecodingKey::from_ec_der(&point), &validation).unwrap();
    assert_eq!(claims.claims["sub"], "mailto:ops@example.com");
}

async fn receive_native_push(
    State(received): State<Shared>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> StatusCode {
    let idempotency_key = headers["idempotency-key"].to_str().unwrap().to_owned();
    let push = NativePush {
        idempotency_key,
        body,
    };
    received.lock().unwrap().native_pushes.push(push);
    while received.lock().unwrap().holds_native_pushes {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut received = received.lock().unwrap();
    StatusCode::from_u16(received.push_statuses.pop().unwrap_or(201)).unwrap()
}

async fn receive_text(State(received): State<Shared>, Json(text): Json<Value>) -> StatusCode {
    let mut received = received.lock().unwrap();
    received.texts.push(text);
    StatusCode::from_u16(received.text_statuses.pop().unwrap_or(201)).unwrap()
}

async fn accept_mails(listener: TcpListener, received: Shared) {
    while let Ok((connection, _)) = listener.accept().await {
        tokio::spawn(receive_mail(connection, Arc::clone(&received)));
    }
}

/// Speaks SMTP (RFC 5321) as far as one mail needs.
async fn receive_mail(connection: TcpStream, received: Shared) -> std::io::Result<()> {
    let mut lines = BufReader::new(connection);
    lines.get_mut().write_all(b"220 local\r\n").await?;
    let mut line = String::new();
    while lines.read_line(&mut line).await? > 0 {
        let reply = match line.get(..4) {
            Some("EHLO" | "HELO" | "NOOP" | "RSET" | "MAIL" | "RCPT") => "250 ok\r\n",
            Some("DATA") => {
                lines.get_mut().write_all(b"354 go on\r\n").await?;
                let mail = read_until_dot(&mut lines).await?;
                let mut received = received.lock().unwrap();
                received.mails.push(mail);
                if std::mem::take(&mut received.drops_mail) {
                    return Ok(());
                }
                "250 queued\r\n"
            }
            Some("QUIT") => "221 bye\r\n",
            _ => "500 unknown\r\n",
        };
        lines.get_mut().write_all(reply.as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

async fn read_until_dot(lines: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut mail = String::new();
    while !mail.ends_with("\r\n.\r\n") && lines.read_line(&mut mail).await? > 0 {}
    Ok(mail)
}

/// Signs in on a second device.
pub async fn tablet(harness: &Harness, phone: &str) -> NewSession {
    harness.advance(Duration::from_mins(1));
    let signed_in = harness.sign_in(phone, "tablet").await;
    sqlx::query("DELETE FROM messages")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    signed_in
}

pub fn new_message() -> MessageId {
    MessageId::from_uuid(uuid::Uuid::new_v4())
}

/// The event about a ready order.
pub fn requested(consumer: ConsumerId, message: MessageId, at: Timestamp) -> NotificationEvent {
    let parameters = NotificationParameters {
        title: "Your order is ready".to_owned(),
        body: "Pick it up at Sunset & Maltman.".to_owned(),
        order_id: OrderId::new(at).to_string(),
    };
    NotificationEvent {
        consumer_id: consumer.to_string(),
        change: Some(Change::Requested(NotificationRequested {
            message_id: message.to_string(),
            template: "order_ready".to_owned(),
            parameters: Some(parameters),
            requested_at: at.to_string(),
            occurred_at: at.to_string(),
            useful_until: String::new(),
        })),
    }
}

/// A notification with a new message.
pub fn only(template: &str, consumer: ConsumerId, at: Timestamp) -> RequestedNotification {
    RequestedNotification {
        consumer_id: consumer,
        message_id: new_message(),
        template: template.to_owned(),
        title: "Your order is ready".to_owned(),
        body: "Pick it up at Sunset & Maltman.".to_owned(),
        order_id: String::new(),
        requested_at: at,
        occurred_at: at,
        useful_until: None,
    }
}
