use std::time::Duration;

use callers::Caller;
use ordering::{
    domain::order::Status,
    ops::{
        accept::accept, cancel::cancel, cancel::cancel_unaccepted, complete::complete,
        mark_ready::mark_ready, read, read::QueueError, reject::RejectError, reject::reject, start::start,
        transition::StepError, user_arrived::ArrivedError, user_arrived::user_arrived,
    },
};
use types::{ConsumerId, CredentialId, SessionId, StoreId};

use crate::harness::Harness;

#[tokio::test]
async fn a_store_takes_an_order_all_the_way_and_each_step_is_told() {
    let harness = Harness::new().await;
    let row = harness.order("placed").await;
    let (cx, store, id) = (&harness.cx, harness.store_of(&row), row.order_id());
    accept(cx, &store, id).await.unwrap();
    accept(cx, &store, id).await.unwrap();
    start(cx, &store, id).await.unwrap();
    mark_ready(cx, &store, id).await.unwrap();
    let done = complete(cx, &store, id).await.unwrap();
    let by: Vec<&str> = done.history.iter().map(|change| change.by.as_str()).collect();
    assert_eq!(by, ["consumer", "store", "store", "store", "store"]);
    assert_eq!(
        harness.database.outbox_event_types().await,
        [
            "ordering.OrderAccepted",
            "ordering.OrderPreparing",
            "ordering.OrderReady",
            "ordering.OrderCompleted"
        ]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn another_store_and_another_consumer_do_not_even_see_it() {
    let harness = Harness::new().await;
    let row = harness.order("placed").await;
    let (cx, id, now) = (&harness.cx, row.order_id(), harness.now());
    let foreign = Caller::Store {
        credential: CredentialId::new(now),
        stores: Some(vec![StoreId::new(now)]),
    };
    assert!(matches!(accept(cx, &foreign, id).await, Err(StepError::Unknown)));
    assert!(matches!(
        reject(cx, &foreign, id, "no").await,
        Err(RejectError::Step(StepError::Unknown))
    ));
    let stranger = ConsumerId::new(now);
    assert!(matches!(cancel(cx, stranger, id).await, Err(StepError::Unknown)));
    assert!(matches!(
        read::get(cx, stranger, id).await,
        Err(StepError::Unknown)
    ));
    assert!(matches!(
        user_arrived(cx, stranger, id, "").await,
        Err(ArrivedError::Step(StepError::Unknown))
    ));
    let own = Caller::Consumer {
        id: row.consumer(),
        session: SessionId::new(now),
    };
    for (caller, store) in [
        (&foreign, Some(row.store())),
        (&own, None),
        (&own, Some(row.store())),
    ] {
        assert!(matches!(
            read::list_queue(cx, caller, store).await,
            Err(QueueError::NotYours)
        ));
    }
    assert_eq!(harness.status(id).await, "placed");
    assert_eq!(harness.database.outbox_event_types().await, Vec::<String>::new());
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_is_turned_down_with_a_sentence_for_its_consumer() {
    let harness = Harness::new().await;
    let row = harness.order("placed").await;
    let (cx, store, id) = (&harness.cx, harness.store_of(&row), row.order_id());
    for blank in ["", " \n "] {
        assert!(matches!(
            reject(cx, &store, id, blank).await,
            Err(RejectError::NoReason)
        ));
    }
    assert!(matches!(
        reject(cx, &store, id, &"é".repeat(201)).await,
        Err(RejectError::ReasonTooLong)
    ));
    assert_eq!(harness.status(id).await, "placed");
    let why = "é".repeat(200);
    let rejected = reject(cx, &store, id, &format!(" {why} ")).await.unwrap();
    assert_eq!(rejected.message, why);
    harness.database.drop().await;
}

#[tokio::test]
async fn of_accept_and_cancel_at_once_one_wins_and_the_other_is_told() {
    let harness = Harness::new().await;
    for _ in 0..25 {
        let row = harness.order("placed").await;
        let (store, id) = (harness.store_of(&row), row.order_id());
        let (accepted, cancelled) = tokio::join!(
            accept(&harness.cx, &store, id),
            cancel(&harness.cx, row.consumer(), id)
        );
        assert!(
            accepted.is_ok() != cancelled.is_ok(),
            "{accepted:?} {cancelled:?}"
        );
        let loser = accepted.err().or(cancelled.err()).unwrap();
        assert!(
            matches!(loser, StepError::WrongState(wrong) if matches!(wrong.from, Status::Accepted | Status::Cancelled))
        );
    }
    assert_eq!(harness.database.outbox_event_types().await.len(), 25);
    harness.database.drop().await;
}

#[tokio::test]
async fn twenty_equal_accepts_are_one() {
    let harness = Harness::new().await;
    let row = harness.order("placed").await;
    let store = harness.store_of(&row);
    let outcomes =
        futures::future::join_all((0..20).map(|_| accept(&harness.cx, &store, row.order_id()))).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(harness.database.outbox_event_types().await, ["ordering.OrderAccepted"]);
    harness.database.drop().await;
}

#[tokio::test]
async fn the_system_cancels_only_what_nobody_accepted() {
    let harness = Harness::new().await;
    let row = harness.order("placed").await;
    accept(&harness.cx, &harness.store_of(&row), row.order_id())
        .await
        .unwrap();
    assert!(matches!(
        cancel_unaccepted(&harness.cx, row.order_id()).await,
        Err(StepError::WrongState(_))
    ));
    let row = harness.order("placed").await;
    let cancelled = cancel_unaccepted(&harness.cx, row.order_id()).await.unwrap();
    assert_eq!(
        (cancelled.reason.as_str(), cancelled.history[1].by.as_str()),
        ("NOT_ACCEPTED", "system")
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn the_queue_shows_a_store_its_own_and_running_only() {
    let harness = Harness::new().await;
    let own = harness.order("placed").await;
    harness.order("placed").await;
    let mut finished = harness.row("completed");
    finished.store_id = own.store_id;
    harness.insert(&finished).await.unwrap();
    let queue = read::list_queue(&harness.cx, &harness.store_of(&own), None)
        .await
        .unwrap();
    let ids: Vec<String> = queue.into_iter().map(|order| order.order_id).collect();
    assert_eq!(ids, [own.order_id().to_string()]);
    let all = Caller::Store {
        credential: CredentialId::new(harness.now()),
        stores: None,
    };
    assert_eq!(read::list_queue(&harness.cx, &all, None).await.unwrap().len(), 2);
    harness.database.drop().await;
}

#[tokio::test]
async fn arriving_counts_once_and_only_while_the_order_runs() {
    let harness = Harness::new().await;
    let row = harness.order("ready").await;
    let first = user_arrived(&harness.cx, row.consumer(), row.order_id(), "")
        .await
        .unwrap();
    assert_eq!(first.vehicle, "blue Golf");
    harness.later(Duration::from_secs(60));
    let second = user_arrived(&harness.cx, row.consumer(), row.order_id(), "red Vespa")
        .await
        .unwrap();
    let third = user_arrived(&harness.cx, row.consumer(), row.order_id(), "red\n\u{202e}Vespa")
        .await
        .unwrap();
    assert_eq!(third.vehicle, "red Vespa");
    assert!(matches!(
        user_arrived(&harness.cx, row.consumer(), row.order_id(), &"v".repeat(121)).await,
        Err(ArrivedError::VehicleTooLong)
    ));
    assert_eq!(
        (second.arrived_at, second.vehicle.as_str()),
        (first.arrived_at, "red Vespa")
    );
    let gone = harness.order("completed").await;
    assert!(matches!(
        user_arrived(&harness.cx, gone.consumer(), gone.order_id(), "").await,
        Err(ArrivedError::Step(StepError::WrongState(_)))
    ));
    harness.database.drop().await;
}
