//! Logs are JSON, can be followed by correlation id through all processes, and contain no personal data.

use serde_json::{Value, json};

use crate::harness::{Collector, Page, RequestTrace, Stack, eventually, exclusive_stack, programs};

/// Enables all log levels of the project.
const VERBOSE: &str = "info,accounts=debug,gateway=debug,gift_cards=debug,kit=debug,ledger=debug,ordering=debug,\
                         payments=debug,rewards=debug,stores=debug";
const CARD: &str = "4242424242424242";

/// Log lines written since creation.
struct Logs {
    stack: &'static Stack,
    skipped: Vec<usize>,
}

impl Logs {
    /// Restarts all programs with verbose logs.
    async fn of(stack: &'static Stack, collector: &str) -> Self {
        let settings = [
            ("RUST_LOG", VERBOSE),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", collector),
            ("OTEL_BSP_SCHEDULE_DELAY", "100"),
            ("SIGN_IN_RESEND_SECONDS", "0"),
        ];
        let mut skipped = Vec::new();
        for name in programs() {
            stack.program(name).kill();
            skipped.push(stack.program(name).log().len());
            stack.program(name).start(&settings);
        }
        for name in programs() {
            stack.program(name).wait_until_listening().await;
        }
        Self { stack, skipped }
    }

    fn all(&self) -> impl Iterator<Item = (&'static str, String)> {
        programs()
            .zip(&self.skipped)
            .map(|(name, skipped)| (name, self.stack.program(name).log().split_off(*skipped)))
    }

    /// Returns the log lines of a program; the last one may be incomplete.
    fn lines(&self, name: &str) -> Vec<Value> {
        let (_, log) = self.all().find(|(program, _)| *program == name).unwrap();
        let whole = log.rsplit_once('\n').map_or("", |(whole, _)| whole).to_owned();
        whole
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{name}: {line}")))
            .collect()
    }
}

/// Returns whether a line belongs to a request.
fn is_of(line: &Value, trace: &RequestTrace) -> bool {
    line["spans"].as_array().is_some_and(|spans| {
        spans
            .iter()
            .any(|span| span["correlation_id"] == trace.id.as_str())
    })
}

#[tokio::test]
async fn every_log_has_the_correlation_id_of_a_request() {
    let stack = exclusive_stack().await;
    let logs = Logs::of(stack.stack, "").await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, page) = (ada.with_card(CARD).await, Page::of(&ada).await);
    let trace = RequestTrace::new();
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo("TREAT3")
        .priced()
        .await;
    let order = page.post("order/create", &checkout.body, &trace).await.order();
    let named = RequestTrace::new();
    page.post(
        "user/name",
        &json!({ "firstName": "Ada", "lastName": "Again" }),
        &named,
    )
    .await
    .data();
    let seen_by = |names: &[&'static str], trace| names.iter().map(|name| (*name, trace)).collect::<Vec<_>>();
    let placing = seen_by(&["gateway", "ordering", "stores", "rewards", "payments"], &trace);
    for (name, trace) in placing
        .into_iter()
        .chain(seen_by(&["gateway", "accounts"], &named))
    {
        eventually(&format!("the log of {name} has the request"), async || {
            if logs.lines(name).iter().any(|line| is_of(line, trace)) {
                Ok(())
            } else {
                Err("no line yet")
            }
        })
        .await;
    }
    // Logged by the tracked task of the saga.
    let lines = logs.lines("ordering");
    let placed = lines
        .iter()
        .find(|line| line["message"] == "order placed" && line["order_id"] == order);
    assert!(placed.is_some_and(|line| is_of(line, &trace)), "{placed:?}");
}

#[tokio::test]
async fn logs_and_traces_contain_no_personal_data() {
    let stack = exclusive_stack().await;
    let collector = Collector::start().await;
    let logs = Logs::of(stack.stack, &format!("http://{}", collector.address)).await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let name = json!({ "firstName": "Zephyrine", "lastName": "Quillfeather" });
    ada.post("user/name", name).await.data();
    let card = ada.with_card(CARD).await;
    let page = Page::of(&ada).await;
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo("TREAT3")
        .priced()
        .await
        .with("pickupName", json!("Zephyrine Q."));
    let order = page
        .post("order/create", &checkout.body, &RequestTrace::new())
        .await
        .order();
    store.make(&order).await;
    let joepass = ada.with_joepass(5_000).await;
    store
        .make(&ada.place_order("Latte", &store, &joepass).await)
        .await;
    // Rejected requests, too.
    let wrong = json!({ "phone": page.phone, "code": "000000" });
    page.post("authentication/verify", &wrong, &RequestTrace::new())
        .await
        .error_reason(422);
    let declined = ada.with_card("4000000000000341").await;
    let checkout = ada
        .draft_order("Latte", &store, &declined)
        .priced()
        .await
        .with("pickupName", json!("Zephyrine Q."));
    page.post("order/create", &checkout.body, &RequestTrace::new())
        .await
        .error_reason(422);
    eventually("all events were consumed", async || {
        let kinds = ada.message_kinds(&order).await;
        if kinds == ["points_earned"] {
            Ok(())
        } else {
            Err(format!("{kinds:?}"))
        }
    })
    .await;

    let traces = eventually("the order is traced", async || {
        let spans = collector.spans();
        let spans: Vec<_> = spans.iter().map(|span| format!("{span:?}")).collect();
        let traces = spans.join("\n");
        if traces.contains(&order) {
            Ok(traces)
        } else {
            Err(format!("{} spans", spans.len()))
        }
    })
    .await;
    let secrets = Secrets::of(&page);
    for (source, text) in logs
        .all()
        .map(|(name, log)| (name, without_times(&log)))
        .chain([("traces", traces)])
    {
        assert!(!text.is_empty(), "{source} must not be empty");
        let found = text
            .lines()
            .find_map(|line| Some((secrets.found_in(line)?, line)));
        assert_eq!(found, None, "{source}");
    }
}

/// Removes timestamps, source digits could match a sign-in code.
fn without_times(log: &str) -> String {
    let lines = log.lines().map(|line| match serde_json::from_str::<Value>(line) {
        Ok(mut line) => {
            line["timestamp"].take();
            line.to_string() + "\n"
        }
        Err(_) => format!("{line}\n"),
    });
    lines.collect()
}

/// Values that must not occur in logs and traces.
struct Secrets {
    code: String,
    anywhere: Vec<String>,
}

impl Secrets {
    fn of(page: &Page) -> Self {
        let national = page.phone.trim_start_matches("+1");
        let known = ["Zephyrine", "Quillfeather", CARD, "4000000000000341", "_secret_"];
        let ours = [
            "sk_test_system",
            "whsec_system",
            "that-only-system-tests-know",
            "store_credential_of_the_system_tests",
        ];
        let mut anywhere: Vec<_> = known.into_iter().chain(ours).map(str::to_owned).collect();
        anywhere.extend([national.to_owned(), page.token.clone()]);
        Self {
            code: page.code.clone(),
            anywhere,
        }
    }

    fn found_in<'a>(&'a self, line: &str) -> Option<&'a str> {
        let mut words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
        let mut secrets = self.anywhere.iter();
        let secret = secrets.find(|secret| line.contains(secret.as_str()));
        secret
            .or_else(|| words.any(|word| word == self.code).then_some(&self.code))
            .map(String::as_str)
    }
}

#[tokio::test]
async fn a_log_file_has_no_color_codes() {
    let stack = exclusive_stack().await;
    stack.restart("rewards", &[("LOG_FORMAT", "pretty")]).await;
    let log = eventually("the first log line was written", async || {
        let log = stack.program("rewards").log();
        if log.contains("INFO serving") {
            Ok(log)
        } else {
            Err(log)
        }
    })
    .await;
    assert!(!log.contains('\u{1b}'), "{log}");
}
