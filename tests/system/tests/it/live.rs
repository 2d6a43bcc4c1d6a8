//! Live streams of consumers and stores, at two gateways and across reconnects.

use crate::harness::{Fault, Program, replicated_stack};

#[tokio::test]
async fn streams_of_two_gateways_and_reconnects_miss_no_change() {
    let exclusive = replicated_stack().await;
    let stack = exclusive.stack;
    let gateways: Vec<&Program> = stack
        .processes()
        .iter()
        .filter(|program| program.name == "gateway")
        .collect();
    let [first, second] = gateways[..] else {
        panic!("expected two gateways");
    };
    let ada = stack.consumer().await.without_keep_alive();
    let bob = stack.consumer().await.without_keep_alive();
    let (store, other_store) = (
        stack.store().without_keep_alive(),
        stack.store().without_keep_alive(),
    );
    let (ada_tender, bob_tender) = (ada.with_joepass(5_000).await, bob.with_joepass(5_000).await);
    let order = ada.place_order("Latte", &store, &ada_tender).await;
    let other = bob.place_order("Latte", &other_store, &bob_tender).await;

    let (mut phone, snapshot) = ada.follow_orders(first.listen).await;
    assert_eq!(snapshot.len(), 1);
    assert_eq!(snapshot[0]["orderId"], order.as_str());
    assert_eq!(snapshot[0]["status"], "Placed");
    let (mut tab, _) = ada.follow_orders(second.listen).await;
    let (mut friend, _) = bob.follow_orders(second.listen).await;
    let (mut tablet, queue) = store.follow_queue(second.listen).await;
    assert_eq!(queue.len(), 1);
    store.accept(&order).await.data();
    other_store.accept(&other).await.data();
    for stream in [&mut phone, &mut tab, &mut tablet] {
        stream.wait_for_status(&order, "Accepted").await;
    }
    friend.wait_for_status(&other, "Accepted").await;

    // A gateway is killed. What changes until the client is connected again is in the snapshot.
    first.kill();
    while phone.next().await.is_some() {}
    store.advance(&order, "start").await.data();
    let (mut phone, snapshot) = ada.follow_orders(second.listen).await;
    assert_eq!(snapshot[0]["status"], "Preparing");
    for stream in [&mut tab, &mut tablet] {
        stream.wait_for_status(&order, "Preparing").await;
    }

    // Without the broker the streams poll.
    stack.set_fault_to("rabbitmq", Some(Fault::Cut));
    store.advance(&order, "ready").await.data();
    for stream in [&mut phone, &mut tab, &mut tablet] {
        stream.wait_for_status(&order, "Ready").await;
    }
    stack.set_fault_to("rabbitmq", None);

    // The gateway returns, and the tablet reconnects to it.
    first.start(&[]);
    first.wait_until_ready().await;
    let (mut tablet, queue) = store.follow_queue(first.listen).await;
    assert_eq!(queue.len(), 1);
    assert_eq!(queue[0]["status"], "Ready");
    store.advance(&order, "complete").await.data();
    for stream in [&mut phone, &mut tab] {
        stream.wait_for_status(&order, "Completed").await;
    }
    tablet.wait_for_removal(&order).await;

    // The other consumer received only the changes of their own order.
    other_store.advance(&other, "start").await.data();
    friend.wait_for_status(&other, "Preparing").await;
    ada.assert_consistent().await;
}
