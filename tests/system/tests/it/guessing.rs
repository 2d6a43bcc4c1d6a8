//! Guesses of the sign-in code of one account, from many addresses. `GUESSES` sets their number.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use futures::{StreamExt, future::join, stream};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::harness::{Consumer, Reply, Stack, eventually, exclusive_stack};

const DEFAULT_GUESSES: u32 = 2_000;
const CONCURRENT: usize = 64;
/// Attempts per account and hour.
const MAX_EVALUATED: i64 = 10;

/// The limits of production, and a proxy that reports the client's address.
const LIMITS: [(&str, &str); 3] = [
    ("TRUSTED_PROXIES", "127.0.0.1"),
    ("SIGN_IN_LIMIT_PER_ADDRESS", "60"),
    ("SIGN_IN_LIMIT_IN_ALL", "1000"),
];

fn number_of_guesses() -> u32 {
    std::env::var("GUESSES").map_or(DEFAULT_GUESSES, |text| text.parse().unwrap())
}

/// Has an address of its own for each request. The proxy reports it after the ones that the attacker forged.
struct Attacker {
    http: Client,
    stack: &'static Stack,
    phone: String,
    incorrect: AtomicU32,
    rejected: AtomicU32,
}

impl Attacker {
    fn new(stack: &'static Stack, phone: &str) -> Self {
        Self {
            http: Client::builder()
                .timeout(Duration::from_secs(30))
                .build()
                .unwrap(),
            stack,
            phone: phone.to_owned(),
            incorrect: AtomicU32::new(0),
            rejected: AtomicU32::new(0),
        }
    }

    fn request(&self, call: &str, number: u32, body: &Value) -> RequestBuilder {
        let origin = self.stack.origin();
        let [_, a, b, c] = number.to_be_bytes();
        self.http
            .post(format!("{origin}/api/consumer/authentication/{call}"))
            .header("origin", origin)
            .header("x-correlation-id", "attack")
            .header(
                "x-forwarded-for",
                format!("127.0.0.1, 10.0.{b}.{c}, 100.{a}.{b}.{c}"),
            )
            // A device that never signed in, which accounts has to find out.
            .header("cookie", format!("device={}", Uuid::new_v4()))
            .json(body)
    }

    /// Requests a code now and then, and guesses.
    async fn guess(&self, number: u32) {
        if number.is_multiple_of(500) {
            let requested = self.request("login", number, &json!({ "phone": self.phone }));
            let reply = Reply::to(requested).await;
            assert!(
                reply.status.is_success() || reply.status == StatusCode::TOO_MANY_REQUESTS,
                "{reply:?}"
            );
        }
        let body = json!({ "phone": self.phone, "code": format!("{:06}", number % 1_000_000) });
        let reply = Reply::to(self.request("verify", number, &body)).await;
        let count = match reply.status {
            StatusCode::UNPROCESSABLE_ENTITY => &self.incorrect,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => &self.rejected,
            _ => panic!("guess {number}: {reply:?}"),
        };
        count.fetch_add(1, Relaxed);
    }

    fn count(&self) -> u32 {
        self.incorrect.load(Relaxed) + self.rejected.load(Relaxed)
    }
}

async fn phone_of(consumer: &Consumer) -> String {
    let profile = consumer.get("user/profile").await;
    profile.data()["phone"].as_str().unwrap().to_owned()
}

/// Signs out and in again on the device of the consumer. The attacker's codes arrive at the same phone, so the consumer
/// enters each one until one is accepted.
async fn sign_in_again(consumer: &Consumer, phone: &str) {
    let logout = "/api/consumer/authentication/logout";
    consumer.send(Method::POST, logout, None).await.data();
    let before = codes(consumer.stack, phone).len();
    let request = json!({ "phone": phone });
    consumer.post("authentication/login", request).await.data();
    let mut incorrect: Vec<String> = Vec::new();
    eventually("the owner's code is accepted", async || {
        let sent = codes(consumer.stack, phone);
        let Some(code) = sent.iter().skip(before).find(|code| !incorrect.contains(code)) else {
            return Err(format!("{} codes are incorrect", incorrect.len()));
        };
        let request = json!({ "phone": phone, "code": code });
        let reply = consumer.post("authentication/verify", request).await;
        if reply.status == StatusCode::UNPROCESSABLE_ENTITY {
            incorrect.push(code.clone());
        }
        if reply.status.is_success() {
            Ok(())
        } else {
            Err(reply.body.to_string())
        }
    })
    .await;
}

/// Returns the codes that were sent to a phone.
fn codes(stack: &Stack, phone: &str) -> Vec<String> {
    let messages = stack.messages();
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages
        .filter(|message| message["phone"] == phone)
        .filter_map(|message| message["code"].as_str().map(str::to_owned))
        .collect()
}

/// Counts the attempts of devices that are not known.
async fn count_evaluated(stack: &Stack, phone: &str) -> i64 {
    let mut accounts = stack.database("accounts").await;
    sqlx::query_scalar("SELECT count(*) FROM code_attempts WHERE phone = $1 AND device_hash = ''")
        .bind(phone)
        .fetch_one(&mut accounts)
        .await
        .unwrap()
}

#[tokio::test]
async fn ten_guesses_an_hour_are_evaluated_and_the_owner_signs_in_on_a_known_device() {
    let exclusive = exclusive_stack().await;
    let stack: &'static Stack = exclusive.stack;
    let ada = stack.consumer().await;
    let phone = phone_of(&ada).await;
    stack.restart("gateway", &LIMITS).await;
    let guesses = number_of_guesses();
    let attacker = Attacker::new(stack, &phone);
    let started = Instant::now();
    let attack = stream::iter(0..guesses).for_each_concurrent(CONCURRENT, |number| attacker.guess(number));
    let owner = async {
        while attacker.count() < guesses / 5 {
            sleep(Duration::from_millis(20)).await;
        }
        let started = Instant::now();
        sign_in_again(&ada, &phone).await;
        (started.elapsed(), attacker.count())
    };
    let ((), (sign_in_time, guesses_before)) = join(attack, owner).await;
    println!(
        "{guesses} guesses in {:?}; after {guesses_before} of them, the owner had signed in in {sign_in_time:?}",
        started.elapsed()
    );

    let evaluated = count_evaluated(stack, &phone).await;
    assert!(evaluated <= MAX_EVALUATED, "{evaluated} evaluated");
    // One of them is the first sign-in of the owner, on a device that was not known.
    assert_eq!(i64::from(attacker.incorrect.load(Relaxed)) + 1, evaluated);
    assert_eq!(attacker.count(), guesses);
    assert_eq!(phone_of(&ada).await, phone);
}

#[tokio::test]
async fn without_a_trusted_proxy_all_forged_addresses_count_as_one() {
    let exclusive = exclusive_stack().await;
    let stack: &'static Stack = exclusive.stack;
    let limits = [("SIGN_IN_LIMIT_PER_ADDRESS", "60")];
    stack.restart("gateway", &limits).await;
    let attacker = Attacker::new(stack, "");
    let mut statuses = Vec::new();
    for number in 0..200 {
        let body = json!({ "phone": format!("+1206999{number:04}"), "code": "000000" });
        statuses.push(Reply::to(attacker.request("verify", number, &body)).await.status);
    }
    let evaluated = statuses
        .iter()
        .filter(|status| **status == StatusCode::UNPROCESSABLE_ENTITY)
        .count();
    assert!(evaluated <= 60, "{evaluated} evaluated: {statuses:?}");
    assert!(
        statuses[100..]
            .iter()
            .all(|status| *status == StatusCode::TOO_MANY_REQUESTS),
        "{statuses:?}"
    );
}
