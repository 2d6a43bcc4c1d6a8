//! A request is one trace from the page to the databases; event consumers link back to it. An unavailable collector does not
//! affect requests, and without a collector nothing is traced.

use std::time::Duration;

use futures::future::join_all;
use tokio::time::timeout;

use crate::harness::{
    Collector, Consumer, Fault, OPERATOR_KEY, Page, RequestTrace, Span, Stack, Store, Tender, eventually,
    exclusive_stack, programs,
};

/// Longer than a program gives its work to finish at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_mins(1);

/// Restarts all programs with tracing; spans are exported at the interval in milliseconds.
async fn restart_with_tracing(stack: &Stack, collector: &str, interval_ms: &str) {
    let settings = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector),
        ("OTEL_BSP_SCHEDULE_DELAY", interval_ms),
        ("SIGN_IN_RESEND_SECONDS", "0"),
    ];
    for name in programs() {
        stack.restart(name, &settings).await;
    }
}

/// Places an order from a page and returns its id.
async fn place_order(ada: &Consumer, store: &Store, tender: &Tender, trace: &RequestTrace) -> String {
    let page = Page::of(ada).await;
    let checkout = ada
        .draft_order("Latte", store, tender)
        .promo("TREAT3")
        .priced()
        .await;
    let placed = page.post("order/create", &checkout.body, trace).await;
    assert_eq!(placed.order_status(), "Placed", "{}", placed.body);
    placed.order()
}

impl Collector {
    fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Waits for a span of a service with this suffix of its name.
    async fn span(&self, service: &str, name: &str, matches: impl Fn(&Span) -> bool) -> Span {
        eventually(&format!("{service} exports a span {name}"), async || {
            let spans = self.spans();
            let found = spans
                .iter()
                .find(|span| span.service == service && span.name.ends_with(name) && matches(span));
            found.cloned().ok_or_else(|| {
                let names = spans
                    .iter()
                    .filter(|span| span.service == service)
                    .map(|span| &span.name);
                format!("{:?}", names.collect::<Vec<_>>())
            })
        })
        .await
    }

    /// Returns the spans of gateway and ordering for a "Place order" request.
    async fn placing(&self, trace: &RequestTrace) -> (Span, Span) {
        let request = self
            .span("gateway", "/order/create", |span| {
                span.trace_id == trace.trace_id()
            })
            .await;
        let call = self
            .span("ordering", "/PlaceOrder", |span| span.is_part_of(&request))
            .await;
        (request, call)
    }
}

#[tokio::test]
async fn an_order_is_one_trace_from_the_page_to_the_databases() {
    let stack = exclusive_stack().await;
    let collector = Collector::start().await;
    restart_with_tracing(stack.stack, &collector.endpoint(), "100").await;
    let (ada, bob, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        bob.with_joepass(5_000).await,
    );
    for (consumer, tender, payer, call) in [
        (&ada, &card, "payments", "/AuthorizeCharge"),
        (&bob, &joepass, "gift-cards", "/HoldValue"),
    ] {
        let trace = RequestTrace::new();
        let order = place_order(consumer, &store, tender, &trace).await;
        let (request, placing) = collector.placing(&trace).await;
        assert_eq!(
            request.parent_span_id,
            trace.span_id(),
            "the root span is in the page"
        );
        // Created by the tracked task of the saga.
        for (service, name) in [
            ("rewards", "/ClaimDiscount"),
            ("stores", "/ReserveCapacity"),
            (payer, call),
        ] {
            let part = collector
                .span(service, name, |span| span.is_part_of(&placing))
                .await;
            assert_eq!(part.order().as_ref(), Some(&order), "{name}");
            assert_eq!(
                part.attribute("correlation_id").as_ref(),
                Some(&trace.id),
                "{name}"
            );
        }
        for span in [&request, &placing] {
            assert_eq!(span.order().as_ref(), Some(&order), "{}", span.name);
        }
        // The statement that writes the placed order, its event and the stored response.
        let statements = placing.statements();
        assert!(
            statements
                .iter()
                .any(|statement| statement.starts_with("WITH changed AS")),
            "{statements:?}"
        );
        assert_operators_see(&trace, &store, &order).await;
    }
}

/// Asserts that the records of an order name the trace of the request that placed it.
async fn assert_operators_see(trace: &RequestTrace, store: &Store, order: &str) {
    let operator = store.as_credential(&OPERATOR_KEY);
    eventually("the event of the placed order is published", async || {
        let timeline = operator.order_timeline(order).await.data().clone();
        let records = timeline["records"].as_array().unwrap();
        let published = records
            .iter()
            .find(|record| record["text"] == "event ordering.OrderPlaced published");
        match published {
            Some(record) => {
                assert_eq!(record["traceId"], hex::encode(trace.trace_id()), "{timeline}");
                Ok(())
            }
            None => Err(timeline.to_string()),
        }
    })
    .await;
}

#[tokio::test]
async fn event_consumers_link_back_to_the_order() {
    let stack = exclusive_stack().await;
    let collector = Collector::start().await;
    restart_with_tracing(stack.stack, &collector.endpoint(), "100").await;
    let (ada, bob, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        bob.with_joepass(5_000).await,
    );
    for (consumer, tender, payer) in [(&ada, &card, "payments"), (&bob, &joepass, "gift-cards")] {
        let order = consumer.place_order("Latte", &store, tender).await;
        let about = |span: &Span| span.order().as_ref() == Some(&order);
        store.make(&order).await;
        for (call, consumer_service, event) in [
            ("/AcceptOrder", payer, "consume ordering.OrderAccepted"),
            ("/MarkReady", "rewards", "consume ordering.OrderReady"),
            ("/CompleteOrder", "rewards", "consume ordering.OrderCompleted"),
            ("/CompleteOrder", "stores", "consume ordering.OrderCompleted"),
        ] {
            let cause = collector.span("ordering", call, about).await;
            let effect = collector.span(consumer_service, event, about).await;
            assert!(
                effect.is_of_consumer() && effect.is_caused_by(&cause),
                "{effect:#?}\n{cause:#?}"
            );
            let step = collector.span("gateway", "", |span| cause.is_part_of(span)).await;
            assert_eq!(step.order().as_ref(), Some(&order), "{}", step.name);
        }
    }
}

#[tokio::test]
async fn provider_calls_of_payments_link_back_to_their_cause() {
    let stack = exclusive_stack().await;
    let collector = Collector::start().await;
    restart_with_tracing(stack.stack, &collector.endpoint(), "100").await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;

    let taken = ada.place_order("Latte", &store, &card).await;
    store.accept(&taken).await.data();
    let cancelled = ada.place_order("Latte", &store, &card).await;
    ada.cancel(&cancelled).await.data();
    for (order, consume_span, effect_span) in [
        (&taken, "consume ordering.OrderAccepted", "execute capture"),
        (&cancelled, "consume ordering.OrderCancelled", "execute void"),
    ] {
        let about = |span: &Span| span.order().as_ref() == Some(order);
        let cause = collector.span("payments", consume_span, about).await;
        let effect = collector.span("payments", effect_span, about).await;
        assert!(effect.is_caused_by(&cause), "{effect:#?}\n{cause:#?}");
        assert!(
            effect
                .statements()
                .iter()
                .any(|statement| statement.starts_with("UPDATE charges")),
            "the result is written within the span: {effect:#?}"
        );
    }
}

#[tokio::test]
async fn spans_are_flushed_before_the_process_exits() {
    let stack = exclusive_stack().await;
    let collector = Collector::start().await;
    restart_with_tracing(stack.stack, &collector.endpoint(), "3600000").await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let trace = RequestTrace::new();
    place_order(&ada, &store, &joepass, &trace).await;
    assert!(collector.spans().is_empty(), "the export interval is an hour");
    for name in ["gateway", "ordering"] {
        assert!(stack.program(name).stop().await.success(), "{name}");
    }
    collector.placing(&trace).await;
}

#[tokio::test]
async fn an_unavailable_collector_does_not_affect_requests() {
    let stack = exclusive_stack().await;
    // The first address does not accept connections, the second accepts them and never responds.
    let (closed, silent) = (listener(), listener());
    let refusing = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let unresponsive = format!("http://{}", silent.local_addr().unwrap());
    for collector in [refusing, unresponsive] {
        restart_with_tracing(stack.stack, &collector, "10").await;
        let (ada, store) = (stack.consumer().await, stack.store());
        let card = ada.with_card("4242424242424242").await;
        // A request that waits for the collector runs into its timeout.
        for _ in 0..5 {
            let order = ada.place_order("Latte", &store, &card).await;
            store.make(&order).await;
        }
        ada.assert_consistent().await;
        let stop_all = join_all(programs().map(|name| stack.program(name).stop()));
        let ended = timeout(SHUTDOWN_TIMEOUT, stop_all)
            .await
            .unwrap_or_else(|_| panic!("a program does not exit while {collector} does not respond"));
        assert!(
            ended.iter().all(std::process::ExitStatus::success),
            "{collector}: {ended:?}"
        );
        stack.start_all(programs()).await;
    }
}

fn listener() -> std::net::TcpListener {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap()
}

#[tokio::test]
async fn without_a_collector_nothing_is_traced() {
    let stack = exclusive_stack().await;
    stack
        .restart("accounts", &[("SIGN_IN_RESEND_SECONDS", "0")])
        .await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    stack.set_fault_to("rabbitmq", Some(Fault::Cut));
    let order = place_order(&ada, &store, &joepass, &RequestTrace::new()).await;
    let mut ordering = stack.database("ordering").await;
    // Events of previous tests may wait, too.
    let query = "SELECT count(*), count(trace_parent) FROM outbox WHERE aggregate_id = $1";
    let (waiting, traced): (i64, i64) = sqlx::query_as(query)
        .bind(order)
        .fetch_one(&mut ordering)
        .await
        .unwrap();
    assert!(waiting > 0 && traced == 0, "{traced} of {waiting}");
}
