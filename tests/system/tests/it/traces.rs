//! A tap is one trace, from the page to the databases; what it causes across the broker links back to it. A collector that
//! is away is nobody's trouble, and without one nothing is traced.

use std::time::{Duration, Instant};

use futures::future::join_all;

use crate::harness::{Collector, Consumer, Page, Span, Stack, Store, Tap, Tender, eventually, own, programs};

/// Starts everything again, to be traced; spans are sent every so many milliseconds.
async fn traced(stack: &Stack, collector: &str, every: &str) {
    let settings = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector),
        ("OTEL_BSP_SCHEDULE_DELAY", every),
        ("SIGN_IN_RESEND_SECONDS", "0"),
    ];
    for name in programs() {
        stack.restart(name, &settings).await;
    }
}

/// Places an order from a page; answers its id.
async fn order(ada: &Consumer, store: &Store, tender: &Tender, tap: &Tap) -> String {
    let page = Page::of(ada).await;
    let checkout = ada
        .draft_order("Latte", store, tender)
        .promo("WELCOME3")
        .priced()
        .await;
    let placed = page.post("order/create", &checkout.body, tap).await;
    assert_eq!(placed.order_status(), "Placed", "{}", placed.body);
    placed.order()
}

impl Collector {
    fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The span of a service whose name ends so, as soon as it is there.
    async fn span(&self, service: &str, name: &str, which: impl Fn(&Span) -> bool) -> Span {
        eventually(&format!("{service} tells of {name}"), async || {
            let spans = self.spans();
            let found = spans
                .iter()
                .find(|span| span.service == service && span.name.ends_with(name) && which(span));
            found.cloned().ok_or_else(|| {
                let told = spans
                    .iter()
                    .filter(|span| span.service == service)
                    .map(|span| &span.name);
                format!("{:?}", told.collect::<Vec<_>>())
            })
        })
        .await
    }

    /// What the gateway and ordering did for a tap on "Place order".
    async fn placing(&self, tap: &Tap) -> (Span, Span) {
        let request = self
            .span("gateway", "/order/create", |span| span.trace_id == tap.trace_id())
            .await;
        let call = self
            .span("ordering", "/PlaceOrder", |span| span.is_part_of(&request))
            .await;
        (request, call)
    }
}

#[tokio::test]
async fn an_order_is_one_trace_from_the_page_to_the_databases() {
    let own = own().await;
    let collector = Collector::start().await;
    traced(own.stack, &collector.endpoint(), "100").await;
    let (ada, bob, store) = (own.consumer().await, own.consumer().await, own.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        bob.with_joepass(5_000).await,
    );
    for (consumer, tender, payer, call) in [
        (&ada, &card, "payments", "/AuthorizeCharge"),
        (&bob, &joepass, "gift-cards", "/HoldValue"),
    ] {
        let tap = Tap::new();
        let order = order(consumer, &store, tender, &tap).await;
        let (request, placing) = collector.placing(&tap).await;
        assert_eq!(
            request.parent_span_id,
            tap.span_id(),
            "the tap's own span is in the page"
        );
        // Made on a task of its own, which outlives the call if need be.
        for (service, name) in [
            ("rewards", "/ClaimDiscount"),
            ("stores", "/ReserveCapacity"),
            (payer, call),
        ] {
            let part = collector
                .span(service, name, |span| span.is_part_of(&placing))
                .await;
            assert_eq!(part.order().as_ref(), Some(&order), "{name}");
            assert_eq!(part.attribute("correlation_id").as_ref(), Some(&tap.id), "{name}");
        }
        for span in [&request, &placing] {
            assert_eq!(span.order().as_ref(), Some(&order), "{}", span.name);
        }
        // The one that writes the order as placed, its fact and its answer.
        let statements = placing.statements();
        assert!(
            statements
                .iter()
                .any(|statement| statement.starts_with("WITH moved AS")),
            "{statements:?}"
        );
    }
}

#[tokio::test]
async fn what_an_order_causes_across_the_broker_links_back_to_it() {
    let own = own().await;
    let collector = Collector::start().await;
    traced(own.stack, &collector.endpoint(), "100").await;
    let (ada, bob, store) = (own.consumer().await, own.consumer().await, own.store());
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
async fn what_payments_does_at_the_provider_links_back_to_what_asked_for_it() {
    let own = own().await;
    let collector = Collector::start().await;
    traced(own.stack, &collector.endpoint(), "100").await;
    let (ada, store) = (own.consumer().await, own.store());
    let card = ada.with_card("4242424242424242").await;

    let taken = ada.place_order("Latte", &store, &card).await;
    store.accept(&taken).await.data();
    let cancelled = ada.place_order("Latte", &store, &card).await;
    ada.cancel(&cancelled).await.data();
    for (order, heard, done) in [
        (&taken, "consume ordering.OrderAccepted", "carry out capture"),
        (&cancelled, "consume ordering.OrderCancelled", "carry out void"),
    ] {
        let about = |span: &Span| span.order().as_ref() == Some(order);
        let cause = collector.span("payments", heard, about).await;
        let effect = collector.span("payments", done, about).await;
        assert!(effect.is_caused_by(&cause), "{effect:#?}\n{cause:#?}");
        assert!(
            effect
                .statements()
                .iter()
                .any(|statement| statement.starts_with("UPDATE charges")),
            "what came of it is a part of it: {effect:#?}"
        );
    }
}

#[tokio::test]
async fn the_last_spans_arrive_before_the_process_is_gone() {
    let own = own().await;
    let collector = Collector::start().await;
    traced(own.stack, &collector.endpoint(), "3600000").await;
    let (ada, store) = (own.consumer().await, own.store());
    let joepass = ada.with_joepass(5_000).await;
    let tap = Tap::new();
    order(&ada, &store, &joepass, &tap).await;
    assert!(collector.spans().is_empty(), "they are not due for an hour");
    for name in ["gateway", "ordering"] {
        assert!(own.program(name).stop().await.success(), "{name}");
    }
    collector.placing(&tap).await;
}

#[tokio::test]
async fn a_collector_that_is_away_slows_nothing_and_stops_nothing() {
    let own = own().await;
    // The one refuses, the other takes everything and never answers.
    let (closed, silent) = (listener(), listener());
    let refusing = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let mute = format!("http://{}", silent.local_addr().unwrap());
    for collector in [refusing, mute] {
        traced(own.stack, &collector, "10").await;
        let (ada, store) = (own.consumer().await, own.store());
        let card = ada.with_card("4242424242424242").await;
        let began = Instant::now();
        for _ in 0..5 {
            let order = ada.place_order("Latte", &store, &card).await;
            store.make(&order).await;
        }
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{collector}: {:?}",
            began.elapsed()
        );
        ada.assert_consistent().await;
        let began = Instant::now();
        let ended = join_all(programs().map(|name| own.program(name).stop())).await;
        assert!(
            ended.iter().all(|status| status.success()),
            "{collector}: {ended:?}"
        );
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{collector}: {:?}",
            began.elapsed()
        );
        own.start_all(programs()).await;
    }
}

fn listener() -> std::net::TcpListener {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap()
}

#[tokio::test]
async fn without_a_collector_nothing_is_traced() {
    let own = own().await;
    own.restart("accounts", &[("SIGN_IN_RESEND_SECONDS", "0")]).await;
    let (ada, store) = (own.consumer().await, own.store());
    let joepass = ada.with_joepass(5_000).await;
    own.broker_proxy.cut();
    order(&ada, &store, &joepass, &Tap::new()).await;
    let mut ordering = own.database("ordering").await;
    let (waiting, traced): (i64, i64) = sqlx::query_as("SELECT count(*), count(trace_parent) FROM outbox")
        .fetch_one(&mut ordering)
        .await
        .unwrap();
    assert!(waiting > 0 && traced == 0, "{traced} of {waiting}");
}
