use std::{borrow::Cow, time::Duration};

use jiff::SignedDuration;
use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{
        cart::{CartChoice, CartDraft, CartError, CartLine, Pickup},
        journey_step::JourneyStep,
        saved_cart::SavedCart,
        status::Status,
    },
    ops::{
        get_cart::get_cart,
        get_cart_data::get_cart_data,
        order_error::OrderError,
        repeat_order::repeat_order,
        save_cart::{SaveCartError, save_cart},
    },
};
use proto::stores::v1 as stores;
use types::{ConsumerId, Money, StoreId};

use crate::{fake_services::FakeServices, harness::Harness};

fn cart(lines: usize) -> CartDraft {
    let line = |index: usize| CartLine {
        line_id: index.to_string(),
        item_id: "itm_01h455vb4pex5vsknk084sn02q".into(),
        size_id: "siz_01h455vb4pex5vsknk084sn02q".into(),
        quantity: 2,
        choices: vec![CartChoice {
            modification_id: "mod_01h455vb4pex5vsknk084sn02q".into(),
            choice_id: "cho_01h455vb4pex5vsknk084sn02q".into(),
            quantity: 3,
        }],
        note: "extra hot".into(),
    };
    CartDraft {
        store_id: "str_01h455vb4pex5vsknk084sn02q".into(),
        lines: (0..lines).map(line).collect(),
        pickup: Pickup::Curbside,
        pickup_at: "2026-11-20T18:00:00Z".into(),
        promo_code: "FRESH10".into(),
        tip_minor_units: 100,
        cart_id: "c-1".into(),
    }
}

/// Returns a cart with one line, which the fake services price as line "1".
fn priced_cart(store_id: StoreId) -> CartDraft {
    let mut cart = cart(2);
    cart.lines.remove(0);
    CartDraft {
        store_id: store_id.to_string(),
        pickup: Pickup::Counter,
        pickup_at: String::new(),
        promo_code: String::new(),
        ..cart
    }
}

/// Starts services at which the cart has a price, and a harness that uses them.
async fn start() -> (FakeServices, Harness, StoreId) {
    let at = crate::harness::START.parse().unwrap();
    let store_id = StoreId::new(at);
    let services = FakeServices::start(store_id, at + Duration::from_mins(10)).await;
    let harness = Harness::with_services(&services).await;
    (services, harness, store_id)
}

/// Makes the fake store report a line as sold out.
fn sell_out(services: &FakeServices, store_id: StoreId) {
    let ready_at = crate::harness::START;
    services.on("ResolveLines", move || {
        let mut store = stores::Store {
            store_id: store_id.to_string(),
            time_zone: "America/Los_Angeles".into(),
            ..stores::Store::default()
        };
        store.set_open_state(stores::OpenState::Open);
        stores::ResolveLinesResponse {
            store: Some(store),
            problems: vec![stores::LineProblem {
                line_id: "1".into(),
                reason: "ITEM_SOLD_OUT".into(),
                message: "Iced latte is sold out.".into(),
            }],
            ready_at: ready_at.into(),
            ..stores::ResolveLinesResponse::default()
        }
    });
}

#[tokio::test]
async fn a_saved_cart_is_returned_unchanged_to_its_consumer_only() {
    let harness = Harness::new().await;
    let (cx, now) = (&harness.cx, harness.now());
    let (consumer, other) = (ConsumerId::new(now), ConsumerId::new(now));
    save_cart(cx, consumer, Some(cart(1))).await.unwrap();
    save_cart(cx, consumer, Some(cart(2))).await.unwrap();
    let SavedCart { draft, snapshot, .. } = get_cart(cx, consumer).await.unwrap().unwrap();
    assert_eq!((draft, snapshot), (cart(2), None));
    assert_eq!(get_cart(cx, other).await.unwrap(), None);
    for empty in [Some(cart(0)), None] {
        save_cart(cx, consumer, Some(cart(1))).await.unwrap();
        save_cart(cx, consumer, empty).await.unwrap();
        assert_eq!(get_cart(cx, consumer).await.unwrap(), None);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn clearing_a_cart_keeps_one_that_another_device_started() {
    let harness = Harness::new().await;
    let (cx, consumer) = (&harness.cx, ConsumerId::new(harness.now()));
    let started = CartDraft {
        cart_id: "cart-of-another-device".to_owned(),
        ..cart(1)
    };
    let saved = save_cart(cx, consumer, Some(started.clone())).await.unwrap();
    assert_eq!(save_cart(cx, consumer, Some(cart(0))).await.unwrap(), saved);
    assert_eq!(get_cart(cx, consumer).await.unwrap(), saved);
    let without_id = CartDraft {
        cart_id: String::new(),
        ..cart(0)
    };
    for empty in [
        CartDraft {
            lines: vec![],
            ..started.clone()
        },
        without_id,
    ] {
        save_cart(cx, consumer, Some(started.clone())).await.unwrap();
        assert_eq!(save_cart(cx, consumer, Some(empty)).await.unwrap(), None);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_slow_save_does_not_replace_a_later_one() {
    let (services, harness, store_id) = start().await;
    let (cx, consumer) = (harness.cx.clone(), ConsumerId::new(harness.now()));
    let with_note = |note: &str| {
        let mut cart = priced_cart(store_id);
        cart.lines[0].note = note.to_owned();
        Some(cart)
    };
    let held = services.hold("ResolveLines");
    let earlier = with_note("earlier");
    let slow = tokio::spawn(async move { save_cart(&cx, consumer, earlier).await.unwrap().unwrap() });
    services.wait_for_calls("ResolveLines", 1).await;
    // As of a replica whose clock is behind.
    harness.clock.advance(SignedDuration::from_secs(-5));
    // Later calls do not wait.
    drop(services.hold("ResolveLines"));
    let later = save_cart(&harness.cx, consumer, with_note("later"))
        .await
        .unwrap();
    drop(held);
    assert_eq!(slow.await.unwrap(), later.clone().unwrap());
    assert_eq!(get_cart(&harness.cx, consumer).await.unwrap(), later);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_that_was_ordered_is_not_saved() {
    let harness = Harness::new().await;
    for (status, is_saved) in [(Status::Placed, false), (Status::Cancelled, true)] {
        let mut record = harness.record(status);
        record.order.cart_id = cart(1).cart_id;
        harness.insert(&record).await.unwrap();
        let consumer = record.order.consumer_id;
        let saved = save_cart(&harness.cx, consumer, Some(cart(1))).await.unwrap();
        assert_eq!(saved.is_some(), is_saved, "{status}");
        assert_eq!(get_cart(&harness.cx, consumer).await.unwrap(), saved, "{status}");
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_with_too_many_lines_is_rejected() {
    let harness = Harness::new().await;
    let outcome = save_cart(&harness.cx, ConsumerId::new(harness.now()), Some(cart(51))).await;
    assert!(matches!(
        outcome,
        Err(SaveCartError::Cart(CartError::TooManyLines))
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_with_an_invalid_quantity_is_rejected() {
    let harness = Harness::new().await;
    let mut invalid = cart(1);
    invalid.lines[0].quantity = 0;
    let outcome = save_cart(&harness.cx, ConsumerId::new(harness.now()), Some(invalid)).await;
    assert!(matches!(
        outcome,
        Err(SaveCartError::Cart(CartError::InvalidField(
            "cart.items.quantity"
        )))
    ));
    harness.database.drop().await;
}

/// Saves a cart that stores and rewards can price, and returns the error's reason and field.
async fn reason_and_field_of_saving(harness: &Harness, cart: CartDraft) -> (String, Option<String>) {
    let outcome = save_cart(&harness.cx, ConsumerId::new(harness.now()), Some(cart)).await;
    let error = ServiceError::from(outcome.unwrap_err());
    (error.reason.into_owned(), error.field.map(Cow::into_owned))
}

#[tokio::test]
async fn a_cart_that_could_not_be_read_again_is_not_saved() {
    let (services, harness, store_id) = start().await;
    let rejected = |reason: &str, field: &str| (reason.to_owned(), Some(field.to_owned()));
    for (cart, expected) in [
        (
            CartDraft {
                store_id: "str_1".into(),
                ..priced_cart(store_id)
            },
            rejected("MALFORMED", "cart.storeId"),
        ),
        (
            CartDraft {
                pickup_at: "soon".into(),
                ..priced_cart(store_id)
            },
            rejected("MALFORMED", "cart.schedule"),
        ),
        (
            CartDraft {
                tip_minor_units: i64::MAX,
                ..priced_cart(store_id)
            },
            rejected("TIP_OUT_OF_RANGE", "cart.tipAmount"),
        ),
    ] {
        assert_eq!(reason_and_field_of_saving(&harness, cart).await, expected);
    }
    services.on_error("ResolveLines", || {
        ServiceError::new(
            ErrorCode::NotFound,
            "STORE_UNKNOWN",
            "We couldn't find that store.",
        )
    });
    assert_eq!(
        reason_and_field_of_saving(&harness, priced_cart(store_id)).await,
        rejected("STORE_UNKNOWN", "cart.storeId")
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_stored_cart_that_cannot_be_read_counts_as_absent() {
    let (_services, harness, store_id) = start().await;
    let (cx, consumer) = (&harness.cx, ConsumerId::new(harness.now()));
    save_cart(cx, consumer, Some(priced_cart(store_id)))
        .await
        .unwrap();
    for change in [
        r#"{"pickup_at": "soon"}"#,
        r#"{"store_id": "str_1"}"#,
        r#"{"pickup": 9}"#,
        r#"{"lines": {}}"#,
    ] {
        sqlx::query("UPDATE saved_carts SET cart = cart || $2::jsonb WHERE consumer_id = $1")
            .bind(consumer.uuid())
            .bind(change)
            .execute(&cx.pool)
            .await
            .unwrap();
        assert_eq!(get_cart(cx, consumer).await.unwrap(), None, "{change}");
        let data = get_cart_data(cx, consumer, JourneyStep::Web, store_id).await;
        assert_eq!(data.unwrap(), None, "{change}");
    }
    save_cart(cx, consumer, Some(priced_cart(store_id)))
        .await
        .unwrap();
    assert!(get_cart(cx, consumer).await.unwrap().is_some());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_saved_cart_is_priced_again_with_what_changed_since() {
    let (services, harness, store_id) = start().await;
    let (cx, consumer) = (&harness.cx, ConsumerId::new(harness.now()));
    let ready_at = harness.now();
    save_cart(cx, consumer, Some(priced_cart(store_id)))
        .await
        .unwrap();

    let data = get_cart_data(cx, consumer, JourneyStep::Web, store_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(data.saved.draft, priced_cart(store_id));
    assert_eq!(
        (data.quote.totals.subtotal, data.changes.len()),
        (Money::usd(950), 0)
    );

    services.on_price(store_id, ready_at, 1000);
    let data = get_cart_data(cx, consumer, JourneyStep::Web, store_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(data.quote.totals.subtotal, Money::usd(1000));
    let change = &data.changes[0];
    assert_eq!(
        (
            change.line_id.as_str(),
            change.reason.as_str(),
            change.before,
            change.after
        ),
        (
            "1",
            "PRICE_CHANGED",
            Some(Money::usd(950)),
            Some(Money::usd(1000))
        )
    );

    sell_out(&services, store_id);
    let data = get_cart_data(cx, consumer, JourneyStep::Web, store_id)
        .await
        .unwrap()
        .unwrap();
    let change = &data.changes[0];
    assert_eq!((data.changes.len(), data.quote.lines.len()), (1, 0));
    assert_eq!(
        (change.reason.as_str(), change.before, change.after),
        ("ITEM_SOLD_OUT", Some(Money::usd(950)), None)
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_is_only_returned_for_its_store_and_its_consumer() {
    let (_services, harness, store_id) = start().await;
    let (cx, now) = (&harness.cx, harness.now());
    let (consumer, other) = (ConsumerId::new(now), ConsumerId::new(now));
    assert!(
        get_cart_data(cx, consumer, JourneyStep::Web, store_id)
            .await
            .unwrap()
            .is_none()
    );
    save_cart(cx, consumer, Some(priced_cart(store_id)))
        .await
        .unwrap();
    assert!(
        get_cart_data(cx, consumer, JourneyStep::Web, store_id)
            .await
            .unwrap()
            .is_some()
    );
    assert!(
        get_cart_data(cx, other, JourneyStep::Web, store_id)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        get_cart_data(cx, consumer, JourneyStep::Web, StoreId::new(now))
            .await
            .unwrap()
            .is_none()
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_is_saved_while_stores_is_unavailable() {
    let harness = Harness::new().await;
    let (cx, now) = (&harness.cx, harness.now());
    let consumer = ConsumerId::new(now);
    let saved = save_cart(cx, consumer, Some(priced_cart(StoreId::new(now))))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(saved.snapshot, None);
    assert!(get_cart(cx, consumer).await.unwrap().is_some());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_for_curbside_is_returned_after_the_store_ended_curbside() {
    let (_services, harness, store_id) = start().await;
    let (cx, consumer) = (&harness.cx, ConsumerId::new(harness.now()));
    let curbside = CartDraft {
        pickup: Pickup::Curbside,
        ..priced_cart(store_id)
    };
    save_cart(cx, consumer, Some(curbside)).await.unwrap();
    let data = get_cart_data(cx, consumer, JourneyStep::Web, store_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (data.changes[0].line_id.as_str(), data.changes[0].reason.as_str()),
        ("", "CURBSIDE_UNAVAILABLE")
    );
    assert_eq!(data.quote.totals.subtotal, Money::usd(950));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_of_a_previous_version_is_priced_without_changes() {
    let (_services, harness, store_id) = start().await;
    let (cx, consumer) = (&harness.cx, ConsumerId::new(harness.now()));
    sqlx::query("INSERT INTO saved_carts (consumer_id, cart, saved_at) VALUES ($1, $2::jsonb, now())")
        .bind(consumer.uuid())
        .bind(format!(
            r#"{{"cart_id": "c-1", "store_id": "{store_id}", "pickup": 1, "pickup_at": "", "promo_code": "",
                "tip_minor_units": 0, "lines": [{{"line_id": "1", "item_id": "itm_1", "size_id": "siz_1", "quantity": 1,
                "choices": [], "note": ""}}]}}"#
        ))
        .execute(&cx.pool)
        .await
        .unwrap();
    let data = get_cart_data(cx, consumer, JourneyStep::Web, store_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((data.saved.draft.lines.len(), data.changes.len()), (1, 0));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_repeated_order_lists_unavailable_lines_and_price_changes() {
    let (services, harness, store_id) = start().await;
    let (cx, ready_at) = (&harness.cx, harness.now());
    let mut record = harness.record(Status::Completed);
    record.order.store_id = store_id;
    harness.insert(&record).await.unwrap();
    let (consumer, order_id) = (record.order.consumer_id, record.order.id);

    let repeated = repeat_order(cx, consumer, order_id).await.unwrap();
    assert_eq!((repeated.cart.lines.len(), repeated.changes.len()), (1, 0));

    services.on_price(store_id, ready_at, 1025);
    let repeated = repeat_order(cx, consumer, order_id).await.unwrap();
    assert_eq!(repeated.cart.lines.len(), 1);
    assert_eq!(
        (repeated.changes[0].reason.as_str(), repeated.changes[0].after),
        ("PRICE_CHANGED", Some(Money::usd(1025)))
    );

    sell_out(&services, store_id);
    let repeated = repeat_order(cx, consumer, order_id).await.unwrap();
    assert_eq!(repeated.cart.lines.len(), 0);
    assert_eq!(
        (
            repeated.changes[0].item_name.as_str(),
            repeated.changes[0].reason.as_str()
        ),
        ("Iced latte", "ITEM_SOLD_OUT")
    );

    let foreign = repeat_order(cx, ConsumerId::new(harness.now()), order_id).await;
    assert!(matches!(foreign, Err(OrderError::NotFound)));
    harness.database.drop().await;
}
