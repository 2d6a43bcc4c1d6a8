//! That nothing reads the whole table of stores, however it is asked.

use sqlx::PgConnection;
use stores::{
    db,
    domain::{geo::View, term::Term},
    ops,
};
use types::Page;

use crate::harness::{Harness, position};

/// How often the table of stores was read from end to end, and through an index.
async fn scans(conn: &mut PgConnection) -> (i64, i64) {
    sqlx::query("SELECT pg_stat_force_next_flush()")
        .execute(&mut *conn)
        .await
        .unwrap();
    sqlx::query_as("SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'stores'")
        .fetch_one(conn)
        .await
        .unwrap()
}

#[tokio::test]
async fn twelve_thousand_stores_are_never_read_from_end_to_end() {
    let harness = Harness::seeded().await;
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                             longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'many-' || n, 'Store ' || n,
                n || ' Street', 'City ' || n % 500, 'CA', '', '', 25 + 23 * random(), -124 + 55 * random(),
                'America/Chicago', 80000, n % 3 = 0, 2, md5(n::text) || ' street city ' || md5((n % 500)::text)
         FROM generate_series(1, 12000) AS n",
    )
    .execute(&harness.database.pool)
    .await
    .unwrap();
    let mut conn = harness.database.pool.acquire().await.unwrap();
    sqlx::query("VACUUM ANALYZE stores")
        .execute(&mut *conn)
        .await
        .unwrap();

    let (here, page) = (position(37.77, -122.42), Page::new(20, 0, 20));
    let (before, _) = scans(&mut conn).await;
    let nearest = db::near::nearest(&mut conn, here, false, page).await.unwrap();
    let curbside = db::near::nearest(&mut conn, here, true, page).await.unwrap();
    let rare = Term::parse("sunst maltman").unwrap();
    let found = ops::search::matching(&mut conn, &rare, here, false, page)
        .await
        .unwrap();
    let common = Term::parse("street").unwrap();
    let many = ops::search::matching(&mut conn, &common, here, false, page)
        .await
        .unwrap();
    let view = View::around(here, 0.03);
    let seen = db::map::within(&mut conn, &view, false, 31).await.unwrap();
    let cells = db::map::cells(&mut conn, &view, false).await.unwrap();
    let shown = db::stores::by_ids(&mut conn, &nearest, None, 0..=1)
        .await
        .unwrap();
    let (after, through_an_index) = scans(&mut conn).await;

    assert_eq!(
        (
            nearest.len(),
            curbside.len(),
            found.len(),
            many.len(),
            shown.len()
        ),
        (20, 20, 1, 20, 20)
    );
    assert!(!seen.is_empty() && !cells.is_empty());
    assert_eq!(after, before, "read from end to end");
    assert!(through_an_index >= 6);
    drop(conn);
    harness.close().await;
}
