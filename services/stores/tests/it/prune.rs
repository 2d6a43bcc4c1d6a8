//! Deletion of old rows.

use kit::lifecycle::Process;
use stores::workers::prune::prune;

use crate::harness::Harness;

/// Inserts rows of an old day and one of the newest day. The clock of the harness is at 2026-11-20.
const INSERT: &str = "
    INSERT INTO item_pair_sales (store_id, item_id, other_item_id, day, orders)
    SELECT store_id, gen_random_uuid(), gen_random_uuid(), day, 1
    FROM (SELECT store_id FROM stores LIMIT 1) AS store,
         (VALUES ('2026-10-01'::date, 2500), ('2026-11-20', 1)) AS days (day, number), generate_series(1, number);
    INSERT INTO promises (store_id, day, orders, kept)
    SELECT store_id, day, 1, 1 FROM stores, (VALUES ('2026-10-01'::date), ('2026-11-20')) AS days (day);
    INSERT INTO store_shifts (store_id, day, baristas)
    SELECT store_id, day, 1 FROM stores, (VALUES ('2026-10-01'::date), ('2026-11-20')) AS days (day);";

/// Rejects statements that delete more rows than a batch has.
const LIMIT_BATCHES: &str = "
    CREATE FUNCTION limit_batch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT count(*) FROM deleted) > 1000 THEN RAISE 'too many rows'; END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER limit_batch AFTER DELETE ON item_pair_sales REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION limit_batch();";

impl Harness {
    async fn run_script(&self, script: &'static str) {
        sqlx::raw_sql(script).execute(&self.database.pool).await.unwrap();
    }
}

#[tokio::test]
async fn old_rows_are_deleted_in_batches() {
    let harness = Harness::seeded().await;
    harness.run_script(INSERT).await;
    harness.run_script(LIMIT_BATCHES).await;
    prune(&Process::detached("stores"), &harness.cx).await;
    for (count, expected) in [
        ("SELECT count(*) FROM item_pair_sales", 1),
        ("SELECT count(*) FROM promises WHERE day < '2026-11-20'", 0),
        ("SELECT count(*) FROM store_shifts WHERE day < '2026-11-20'", 0),
    ] {
        assert_eq!(harness.count(count).await, expected, "{count}");
    }
    assert_eq!(prune(&Process::detached("stores"), &harness.cx).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn a_table_that_cannot_be_pruned_does_not_keep_others_from_it() {
    let harness = Harness::seeded().await;
    harness.run_script(INSERT).await;
    harness.run_script("ALTER TABLE item_sales RENAME TO gone").await;
    prune(&Process::detached("stores"), &harness.cx).await;
    let counts = "SELECT (SELECT count(*) FROM item_pair_sales) + (SELECT count(*) FROM promises WHERE day < '2026-11-20')
                  + (SELECT count(*) FROM store_shifts WHERE day < '2026-11-20')";
    assert_eq!(harness.count(counts).await, 1);
    harness.close().await;
}
