use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use kit::consumer::{ConsumeError, Delivery, Handler};
use proto::{
    events::Event,
    ordering::v1::{OrderCancelled, OrderCompleted, OrderReady},
};
use sqlx::PgConnection;
use testing::Database;
use tokio::{sync::mpsc, time::timeout};
use types::{Clock, EventId, SystemClock};

use crate::queues::Queues;

/// Never gets over an order that is ready; tells of everything else.
struct Stuck {
    tried: mpsc::UnboundedSender<String>,
}

#[async_trait]
impl Handler for Stuck {
    async fn handle(&self, event: &Delivery, _: &mut PgConnection) -> Result<(), ConsumeError> {
        let _unheard = self.tried.send(event.kind.clone());
        if event.kind == OrderReady::KIND {
            return Err(ConsumeError::Transient(anyhow::anyhow!("not now")));
        }
        Ok(())
    }
}

/// A consumer that runs, and what it tries.
async fn consuming() -> (Database, Queues, mpsc::UnboundedReceiver<String>) {
    let (database, queues) = (Database::create(&[]).await, Queues::new().await);
    let (tell, heard) = mpsc::unbounded_channel();
    let handler = Arc::new(Stuck { tried: tell });
    kit::messaging::start(&queues.process, &database.pool, Some(handler)).unwrap();
    queues.declared().await;
    (database, queues, heard)
}

/// Until an event of this kind was tried.
async fn tried(heard: &mut mpsc::UnboundedReceiver<String>, kind: &str) {
    let tried = async { while heard.recv().await.unwrap() != kind {} };
    timeout(Duration::from_secs(20), tried).await.unwrap();
}

#[tokio::test]
async fn an_event_that_fails_for_ever_does_not_keep_the_consumer_from_coming_back() {
    let (database, queues, mut heard) = consuming().await;
    queues.publish(OrderReady::KIND).await;
    tried(&mut heard, OrderReady::KIND).await;

    queues.delete_own().await;
    queues.declared().await;
    queues.publish(OrderCompleted::KIND).await;
    tried(&mut heard, OrderCompleted::KIND).await;

    queues.clear().await;
    database.drop().await;
}

#[tokio::test]
async fn an_event_whose_record_may_be_gone_is_not_consumed_again() {
    let (database, queues, mut heard) = consuming().await;
    let now = SystemClock.now();
    let day = Duration::from_secs(86_400);
    // Its effect was made a month ago, and what said so was forgotten.
    let old = EventId::new(now - kit::prune::CONSUMED_KEPT);
    let late = EventId::new(now - (kit::prune::CONSUMED_KEPT - 2 * day));
    queues.publish_as(old, OrderCompleted::KIND).await;
    queues.publish_as(late, OrderCancelled::KIND).await;
    tried(&mut heard, OrderCancelled::KIND).await;

    assert_eq!(queues.dead_letter().await, old);
    let recorded: Vec<EventId> = sqlx::query_scalar("SELECT event_id FROM consumed_events")
        .fetch_all(&database.pool)
        .await
        .unwrap();
    assert_eq!(recorded, [late]);
    queues.clear().await;
    database.drop().await;
}

#[tokio::test]
async fn what_the_database_says_of_the_data_is_not_tried_again_and_what_may_pass_is() {
    let database = Database::create(&[]).await;
    let data = sqlx::query("SELECT 1 / 0").execute(&database.pool).await;
    let rule = sqlx::query("INSERT INTO consumed_events (event_id) VALUES (NULL)")
        .execute(&database.pool)
        .await;
    let meanwhile = sqlx::query("SELECT FROM a_table_of_the_next_release")
        .execute(&database.pool)
        .await;
    for lasting in [data, rule] {
        let error = ConsumeError::from(lasting.unwrap_err());
        assert!(matches!(error, ConsumeError::Rejected(_)), "{error:?}");
    }
    for passing in [meanwhile.unwrap_err(), sqlx::Error::PoolTimedOut] {
        let error = ConsumeError::from(passing);
        assert!(matches!(error, ConsumeError::Transient(_)), "{error:?}");
    }
    database.drop().await;
}
