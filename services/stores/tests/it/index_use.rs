//! No query reads the whole table of stores.

use std::time::Duration;

use sqlx::PgConnection;
use stores::{
    db,
    domain::{map_view::MapView, search_term::SearchTerm},
    ops::{map_stores, search_stores::find_matches},
};
use types::Page;

use crate::harness::{Harness, position};

/// Returns the number of sequential scans and of index scans of the table of stores.
async fn count_scans(conn: &mut PgConnection) -> (i64, i64) {
    sqlx::query("SELECT pg_stat_force_next_flush()")
        .execute(&mut *conn)
        .await
        .unwrap();
    sqlx::query_as("SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'stores'")
        .fetch_one(conn)
        .await
        .unwrap()
}

/// Inserts stores and updates what the planner knows of them.
async fn insert_twelve_thousand_stores(conn: &mut PgConnection) {
    sqlx::query("SET synchronous_commit = on")
        .execute(&mut *conn)
        .await
        .unwrap();
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                             longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'many-' || n, 'Store ' || n,
                n || ' Street', 'City ' || n % 500, 'CA', '', '', 25 + 23 * random(), -124 + 55 * random(),
                'America/Chicago', 80000, n % 3 = 0, 2, md5(n::text) || ' street city ' || md5((n % 500)::text)
         FROM generate_series(1, 12000) AS n",
    )
    .execute(&mut *conn)
    .await
    .unwrap();
    vacuum_until_all_visible(conn).await;
}

/// VACUUM marks a page as visible to all only if the commits of its rows were flushed and no open snapshot, such as one of an
/// automatic ANALYZE, is older. An index scan reads the table for every row of a page without that mark.
async fn vacuum_until_all_visible(conn: &mut PgConnection) {
    for _ in 0..300 {
        sqlx::query("VACUUM ANALYZE stores")
            .execute(&mut *conn)
            .await
            .unwrap();
        let all_visible: bool = sqlx::query_scalar(
            "SELECT relallvisible >= relpages FROM pg_class WHERE oid = 'stores'::regclass",
        )
        .fetch_one(&mut *conn)
        .await
        .unwrap();
        if all_visible {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("VACUUM did not mark all pages of stores as visible to all within 30 seconds");
}

/// Returns the number of rows that index scans have read from the table of stores.
async fn count_row_reads(conn: &mut PgConnection) -> i64 {
    sqlx::query("SELECT pg_stat_force_next_flush()")
        .execute(&mut *conn)
        .await
        .unwrap();
    sqlx::query_scalar("SELECT idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'stores'")
        .fetch_one(conn)
        .await
        .unwrap()
}

#[tokio::test]
async fn lists_common_words_and_small_maps_read_indexes_only() {
    let harness = Harness::seeded().await;
    let mut conn = harness.database.pool.acquire().await.unwrap();
    insert_twelve_thousand_stores(&mut conn).await;

    let (from, page) = (position(37.77, -122.42), Page::new(20, 0, 20));
    let common_term = SearchTerm::parse("street").unwrap();
    let view = MapView::around(from, 0.05);
    let before = count_row_reads(&mut conn).await;
    for curbside_only in [false, true] {
        let nearest = db::nearest::stores(&mut conn, from, curbside_only, page)
            .await
            .unwrap();
        let matches = find_matches(&mut conn, &common_term, from, curbside_only, page)
            .await
            .unwrap();
        assert_eq!((nearest.len(), matches.len()), (20, 20));
        let in_view = db::map::stores_in(&mut conn, &view, curbside_only, 31)
            .await
            .unwrap();
        let cells = map_stores::cells_in(&mut conn, view, curbside_only)
            .await
            .unwrap();
        assert!(!in_view.is_empty() && !cells.is_empty());
    }
    assert_eq!(count_row_reads(&mut conn).await, before);
    drop(conn);
    harness.close().await;
}

#[tokio::test]
async fn queries_on_twelve_thousand_stores_use_indexes() {
    let harness = Harness::seeded().await;
    let mut conn = harness.database.pool.acquire().await.unwrap();
    insert_twelve_thousand_stores(&mut conn).await;

    let (from, page) = (position(37.77, -122.42), Page::new(20, 0, 20));
    let (sequential_before, _) = count_scans(&mut conn).await;
    let nearest = db::nearest::stores(&mut conn, from, false, page).await.unwrap();
    let curbside = db::nearest::stores(&mut conn, from, true, page).await.unwrap();
    let rare_term = SearchTerm::parse("sunst maltman").unwrap();
    let rare_matches = find_matches(&mut conn, &rare_term, from, false, page)
        .await
        .unwrap();
    let common_term = SearchTerm::parse("street").unwrap();
    let common_matches = find_matches(&mut conn, &common_term, from, false, page)
        .await
        .unwrap();
    let view = MapView::around(from, 0.03);
    let in_view = db::map::stores_in(&mut conn, &view, false, 31).await.unwrap();
    let cells = map_stores::cells_in(&mut conn, view, false).await.unwrap();
    let snapshots = db::stores::by_ids(&mut conn, &nearest, None, 0..=1)
        .await
        .unwrap();
    let (sequential_after, index_scans) = count_scans(&mut conn).await;

    assert_eq!((nearest.len(), curbside.len(), snapshots.len()), (20, 20, 20));
    assert_eq!((rare_matches.len(), common_matches.len()), (1, 20));
    assert!(!in_view.is_empty() && !cells.is_empty());
    assert_eq!(sequential_after, sequential_before);
    assert!(index_scans >= 6);
    drop(conn);
    harness.close().await;
}
