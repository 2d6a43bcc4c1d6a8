//! A search returns what a comparison with every store returns, in the same order.

use sqlx::PgConnection;
use stores::{domain::search_term::SearchTerm, ops::search_stores::find_matches};
use types::{Page, StoreId};

use crate::harness::{Harness, position};

/// Stores in four cities and between them, with house numbers and postcodes. The seed makes them the same in each run.
const STORES: &str = "
    WITH places AS MATERIALIZED (
        SELECT n, random() AS a, random() AS b, 1 + n % 499 AS house, floor(random() * 99999) AS postcode,
               (ARRAY['denver co', 'dover de', 'salem or', 'san jose ca'])[1 + n % 4] AS city,
               (ARRAY['harbor', 'market', 'garden', 'summit', 'sandy'])[1 + n % 5] AS name,
               (ARRAY['elm st', 'park ave', 'pine st', 'market st', 'dock rd', 'oak st', 'mill ln'])[1 + n % 7] AS street,
               CASE WHEN n % 3 = 0 THEN 4.0 ELSE 0.3 END AS spread
        FROM generate_series(1, 8000) AS n)
    INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                        longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
    SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'many-' || n, 'Store', 'Street', 'City',
           '', '', '', (ARRAY[39.74, 39.16, 44.94, 37.34])[1 + n % 4] + (a - 0.5) * spread,
           (ARRAY[-104.99, -75.52, -123.03, -121.89])[1 + n % 4] + (b - 0.5) * spread, 'America/Chicago', 80000,
           n % 11 < 4, 2, concat_ws(' ', name, house, street, city, lpad(postcode::text, 5, '0'))
    FROM places";

/// Each term with the patterns of its words.
const TERMS: [(&str, &[&str]); 8] = [
    ("d", &["\\md"]),
    ("De", &["\\mde"]),
    ("Denver", &["\\mdenver"]),
    ("Denver CO", &["\\mdenver\\M", "\\mco"]),
    ("san", &["\\msan"]),
    ("San Jo", &["\\msan\\M", "\\mjo"]),
    ("salem garden pine", &["\\msalem\\M", "\\mgarden\\M", "\\mpine"]),
    ("dock rd", &["\\mdock\\M", "\\mrd"]),
];

async fn compare_all(
    conn: &mut PgConnection,
    patterns: &[&str],
    from: (f64, f64),
    curbside_only: bool,
    page: Page,
) -> Vec<StoreId> {
    let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
    sqlx::query_scalar(
        "SELECT store_id FROM stores WHERE search_text ~ ALL ($3) AND (curbside OR NOT $4)
         ORDER BY place <-> ll_to_earth($1, $2), store_id LIMIT $5 OFFSET $6",
    )
    .bind(from.0)
    .bind(from.1)
    .bind(patterns)
    .bind(curbside_only)
    .bind(page.limit())
    .bind(page.offset())
    .fetch_all(conn)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_search_returns_the_nearest_of_all_matching_stores() {
    let harness = Harness::seeded().await;
    let mut conn = harness.database.pool.acquire().await.unwrap();
    sqlx::query("SELECT setseed(0.25)")
        .execute(&mut *conn)
        .await
        .unwrap();
    sqlx::query(STORES).execute(&mut *conn).await.unwrap();
    sqlx::query("ANALYZE").execute(&mut *conn).await.unwrap();
    for (term, patterns) in TERMS {
        let parsed = SearchTerm::parse(term).unwrap();
        for from in [
            (39.7, -105.0),
            (44.9, -123.1),
            (39.2, -75.4),
            (41.5, -95.0),
            (-33.9, 151.2),
        ] {
            for (curbside_only, page) in [
                (false, Page::new(20, 0, 20)),
                (true, Page::new(20, 0, 20)),
                (false, Page::new(20, 40, 20)),
            ] {
                let near = position(from.0, from.1);
                let found = find_matches(&mut conn, &parsed, near, curbside_only, page)
                    .await
                    .unwrap();
                let expected = compare_all(&mut conn, patterns, from, curbside_only, page).await;
                assert_eq!(found, expected, "{term} from {from:?}, {curbside_only}, {page:?}");
            }
        }
    }
    drop(conn);
    harness.close().await;
}

#[tokio::test]
async fn a_nearby_store_is_found_by_a_rare_word_of_a_common_prefix() {
    let harness = Harness::seeded().await;
    // Thirty words that begin with the text, of which one store nearby has the rarest.
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                             longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'prefix-' || n, 'Store', 'Street',
                'City', '', '', '', CASE WHEN n = 0 THEN 37.77 ELSE 40.7 END, CASE WHEN n = 0 THEN -122.42 ELSE -74 END,
                'America/Chicago', 80000, false, 2, 'quay' || n % 30 || CASE WHEN n = 0 THEN 'rare' ELSE '' END
         FROM generate_series(0, 300) AS n",
    )
    .execute(&harness.database.pool)
    .await
    .unwrap();
    let mut conn = harness.database.pool.acquire().await.unwrap();
    let term = SearchTerm::parse("quay").unwrap();
    let (near, page) = (position(37.77, -122.42), Page::new(20, 0, 20));
    let found = find_matches(&mut conn, &term, near, false, page).await.unwrap();
    let rare: StoreId = sqlx::query_scalar("SELECT store_id FROM stores WHERE search_text = 'quay0rare'")
        .fetch_one(&mut *conn)
        .await
        .unwrap();
    assert_eq!((found.len(), found[0]), (20, rare));
    drop(conn);
    harness.close().await;
}
