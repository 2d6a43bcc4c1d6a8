//! A second device of a consumer, with access to its request headers and secrets.

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Consumer, Reply, eventually};

pub struct Page {
    http: Client,
    origin: String,
    pub phone: String,
    /// Sign-in code.
    pub code: String,
    /// Session token.
    pub token: String,
}

impl Page {
    pub async fn of(consumer: &Consumer) -> Self {
        let (http, origin) = (Client::new(), consumer.stack.origin());
        let phone = consumer.get("user/profile").await.data()["phone"]
            .as_str()
            .unwrap()
            .to_owned();
        let post = |call: &str, body: &Value| {
            let url = format!("{origin}/api/consumer/authentication/{call}");
            http.post(url)
                .header("origin", &origin)
                .header("x-correlation-id", RequestTrace::new().id)
                .json(body)
        };
        let previous = codes_for(&phone, &consumer.stack.messages()).len();
        Reply::to(post("login", &json!({ "phone": phone }))).await.data();
        let code = eventually("another sign-in code was sent", async || {
            codes_for(&phone, &consumer.stack.messages())
                .split_off(previous)
                .pop()
                .ok_or("none yet")
        })
        .await;
        let verified = post("verify", &json!({ "phone": phone, "code": code }))
            .send()
            .await
            .unwrap();
        let cookie = verified.headers()["set-cookie"].to_str().unwrap();
        let token = cookie.split(['=', ';']).nth(1).unwrap().to_owned();
        Self {
            http,
            origin,
            phone,
            code,
            token,
        }
    }

    /// Sends a request with a correlation id and trace context.
    pub async fn post(&self, path: &str, body: &Value, trace: &RequestTrace) -> Reply {
        Reply::to(self.request(path, body, trace)).await
    }

    fn request(&self, path: &str, body: &Value, trace: &RequestTrace) -> RequestBuilder {
        self.http
            .post(format!("{}/api/consumer/{path}", self.origin))
            .header("origin", &self.origin)
            .header("cookie", format!("session={}", self.token))
            .header("x-correlation-id", &trace.id)
            .header("traceparent", trace.trace_parent())
            .json(body)
    }
}

fn codes_for(phone: &str, messages: &str) -> Vec<String> {
    let sent = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let own = sent.filter(|message| message["phone"] == phone);
    own.map(|message| message["code"].as_str().unwrap().to_owned())
        .collect()
}

/// Correlation id and trace context of a request.
pub struct RequestTrace {
    pub id: String,
    trace: Uuid,
    span: Uuid,
}

impl RequestTrace {
    pub fn new() -> Self {
        Self {
            id: Uuid::new_v4().to_string(),
            trace: Uuid::new_v4(),
            span: Uuid::new_v4(),
        }
    }

    pub fn trace_id(&self) -> &[u8] {
        self.trace.as_bytes()
    }

    pub fn span_id(&self) -> &[u8] {
        &self.span.as_bytes()[..8]
    }

    /// In the format of `frontend/src/api/client.ts`.
    fn trace_parent(&self) -> String {
        let span = self.span.simple().to_string();
        format!("00-{}-{}-01", self.trace.simple(), &span[..16])
    }
}
