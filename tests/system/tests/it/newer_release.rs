//! Programs run beside those of a newer release: with its schema, its values, and the events that it publishes. All services also
//! restart and migrate with its schema, as after a rollback.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

use sqlx::{AssertSqlSafe, PgConnection};
use tokio::task::JoinHandle;

use crate::harness::{Consumer, Stack, Store, Tender, eventually, exclusive_stack, programs};

/// Each event gets a field that this release does not know: number 3000 with the text `newer`.
const NEWER_EVENTS: &str = r"
    CREATE FUNCTION newer_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.payload := NEW.payload || '\xc2bb01056e65776572'::bytea;
        RETURN NEW;
    END $$;
    CREATE TRIGGER newer_event BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION newer_event()";
const REMOVE_NEWER_EVENTS: &str =
    "DROP TRIGGER IF EXISTS newer_event ON outbox; DROP FUNCTION IF EXISTS newer_event()";

async fn execute(database: &mut PgConnection, statement: String) {
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(database)
        .await
        .unwrap();
}

/// Returns the names of the tables, and of those the names of the tables of applied migrations.
async fn tables(database: &mut PgConnection) -> (Vec<String>, Vec<String>) {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT oid::regclass::text FROM pg_class
         WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'ledger')",
    )
    .fetch_all(database)
    .await
    .unwrap();
    names.into_iter().partition(|name| !name.ends_with("migrations"))
}

/// The schema of a newer release, in all databases. It is removed when the value is dropped, also after a failed assertion, because
/// other tests use the stack afterwards.
struct NewerRelease(&'static Stack);

impl NewerRelease {
    /// Migrates all databases while the programs of this release use them.
    async fn migrate(stack: &'static Stack) -> Self {
        let release = Self(stack);
        for (_, mut database) in stack.databases().await {
            let (tables, migrations) = tables(&mut database).await;
            for table in tables {
                let columns = "ADD COLUMN newer_text text, ADD COLUMN newer_number bigint NOT NULL DEFAULT 0";
                execute(&mut database, format!("ALTER TABLE {table} {columns}")).await;
            }
            for table in migrations {
                let columns = "(version, description, success, checksum, execution_time)";
                let statement = format!("INSERT INTO {table} {columns} VALUES (9999, 'newer', true, '', 0)");
                execute(&mut database, statement).await;
            }
            execute(&mut database, NEWER_EVENTS.to_owned()).await;
        }
        release
    }

    async fn remove(&self) {
        for (_, mut database) in self.0.databases().await {
            execute(&mut database, REMOVE_NEWER_EVENTS.to_owned()).await;
            let (tables, migrations) = tables(&mut database).await;
            for table in tables {
                let columns = "DROP COLUMN IF EXISTS newer_text, DROP COLUMN IF EXISTS newer_number";
                execute(&mut database, format!("ALTER TABLE {table} {columns}")).await;
            }
            for table in migrations {
                execute(&mut database, format!("DELETE FROM {table} WHERE version = 9999")).await;
            }
        }
        for (service, _) in proto::topology::CONSUMERS {
            self.0.take_dead_letters(service).await;
        }
    }
}

impl Drop for NewerRelease {
    fn drop(&mut self) {
        let removed = std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    let runtime = tokio::runtime::Runtime::new().unwrap();
                    runtime.block_on(self.remove());
                })
                .join()
        });
        // A second panic would abort the process before the cleanup of the other tests.
        if removed.is_err() && !std::thread::panicking() {
            panic!("the schema of the newer release is not removed");
        }
    }
}

/// Consumers that order until they are stopped. Each response other than a success fails the test.
struct Load {
    stop: Arc<AtomicBool>,
    orders: Arc<AtomicUsize>,
    tasks: Vec<JoinHandle<()>>,
}

impl Load {
    fn start(consumers: &[(Consumer, Tender)], store: &Store) -> Self {
        let (stop, orders) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let tasks = consumers
            .iter()
            .map(|(consumer, tender)| {
                let (consumer, tender, store) = (consumer.clone(), tender.clone(), store.clone());
                let (stop, orders) = (Arc::clone(&stop), Arc::clone(&orders));
                tokio::spawn(async move {
                    while !stop.load(Relaxed) {
                        order_one_of_each_end(&consumer, &store, &tender).await;
                        orders.fetch_add(1, Relaxed);
                    }
                })
            })
            .collect();
        Self { stop, orders, tasks }
    }

    /// Waits until each consumer has ordered again, so that the orders began after the call.
    async fn wait_for_new_orders(&self) {
        let expected = self.orders.load(Relaxed) + 2 * self.tasks.len();
        eventually("orders are placed", async || {
            assert!(
                !self.tasks.iter().any(JoinHandle::is_finished),
                "a request failed; see above"
            );
            let orders = self.orders.load(Relaxed);
            if orders >= expected {
                Ok(())
            } else {
                Err(format!("{orders} of {expected}"))
            }
        })
        .await;
    }

    async fn stop(self) {
        self.stop.store(true, Relaxed);
        for task in self.tasks {
            task.await.unwrap();
        }
    }
}

async fn order_one_of_each_end(consumer: &Consumer, store: &Store, tender: &Tender) {
    let completed = consumer.place_order("Latte", store, tender).await;
    store.make(&completed).await;
    let cancelled = consumer.place_order("Latte", store, tender).await;
    consumer.cancel(&cancelled).await.data();
    let rejected = consumer.place_order("Latte", store, tender).await;
    assert!(store.queue().await.contains(&rejected));
    store.reject(&rejected).await.data();
    for path in ["user/points", "user/transaction-history", "inbox/list?take=50"] {
        consumer.get(path).await.data();
    }
}

/// Publishes events of a type that only the newer release consumes.
async fn publish_newer_events(stack: &Stack) {
    for (service, _) in proto::topology::CONSUMERS {
        stack.publish_event_to_queue(service, "newer.Event").await;
    }
}

async fn assert_only_newer_events_are_dead_letters(stack: &Stack) {
    for (service, _) in proto::topology::CONSUMERS {
        let dead = eventually(&format!("{service} has a dead letter"), async || {
            let dead = stack.take_dead_letters(service).await;
            if dead.is_empty() { Err("none") } else { Ok(dead) }
        })
        .await;
        assert_eq!(dead, ["newer.Event"], "{service}");
    }
}

/// A kind of message that this release does not know.
async fn write_newer_values(stack: &Stack, consumer: &Consumer) {
    let changed = sqlx::query("UPDATE messages SET kind = 'newer_kind' WHERE consumer_id = $1")
        .bind(consumer.id.uuid())
        .execute(&mut stack.database("rewards").await)
        .await
        .unwrap();
    assert!(changed.rows_affected() > 0, "the consumer has messages");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_not_affected_by_the_schema_and_the_events_of_a_newer_release() {
    let exclusive = exclusive_stack().await;
    let stack: &'static Stack = exclusive.stack;
    let (ada, bob, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let consumers = [
        (ada.clone(), ada.with_card("4242424242424242").await),
        (bob.clone(), bob.with_joepass(1_000_000).await),
    ];
    let load = Load::start(&consumers, &store);
    load.wait_for_new_orders().await;
    let newer_release = NewerRelease::migrate(stack).await;
    publish_newer_events(stack).await;
    load.wait_for_new_orders().await;
    load.stop().await;
    for consumer in [&ada, &bob] {
        consumer.assert_consistent().await;
        write_newer_values(stack, consumer).await;
    }

    for name in programs() {
        if name != "gateway" {
            let migrated = stack.program(name).command().arg("migrate").output().unwrap();
            assert!(
                migrated.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&[migrated.stdout, migrated.stderr].concat())
            );
        }
        stack.restart(name, &[]).await;
        stack.program(name).wait_until_ready().await;
    }
    for (consumer, tender) in &consumers {
        order_one_of_each_end(consumer, &store, tender).await;
        consumer.assert_consistent().await;
    }
    assert_only_newer_events_are_dead_letters(stack).await;
    drop(newer_release);
}
