//! Companies, pictures, search by place, and the counts and words that triggers maintain.

use proto::stores::v1::{self as pb, stores_server::Stores as _};

use crate::harness::{Harness, ok, proto_page, proto_position, reason, request_from_service, unknown_store};

impl Harness {
    async fn find(&self, term: &str) -> Vec<pb::Store> {
        let request = pb::SearchStoresRequest {
            term: term.into(),
            position: proto_position(37.77, -122.42),
            page: proto_page(100, 0),
            ..Default::default()
        };
        ok(self
            .grpc
            .search_stores(request_from_service("gateway", request))
            .await)
        .stores
    }

    async fn company_of(&self, store_name: &str) -> String {
        let request = pb::GetStoreRequest {
            store_id: self.store(store_name).await.to_string(),
            position: None,
        };
        ok(self
            .grpc
            .get_store(request_from_service("gateway", request))
            .await)
        .company_id
    }

    /// Compares the maintained counts and words with those computed from the stores.
    async fn assert_index_is_exact(&self) {
        let different_cells = self
            .count(
                "SELECT count(*) FROM (
                     SELECT level::integer, map_cell_x(longitude) >> (14 - level), map_cell_y(latitude) >> (14 - level),
                            curbside, count(*), sum(round(latitude * 1e7)::bigint)::bigint,
                            sum(round(longitude * 1e7)::bigint)::bigint
                     FROM stores, generate_series(0, 14) AS level GROUP BY 1, 2, 3, 4) AS expected
                 FULL JOIN (SELECT level::integer, x, y, curbside, stores, latitude_sum, longitude_sum FROM store_cells
                            WHERE stores > 0) AS kept
                   ON expected = kept WHERE expected IS NULL OR kept IS NULL",
            )
            .await;
        assert_eq!(different_cells, 0);
        let different_words = self
            .count(
                "SELECT count(*) FROM (
                     SELECT word COLLATE \"C\" AS word, map_cell(latitude, longitude) AS cell, store_id
                     FROM stores, distinct_words(search_text) AS word) AS expected
                 FULL JOIN store_words USING (word, cell, store_id)
                 WHERE (expected IS NULL) OR (store_words IS NULL)",
            )
            .await;
        assert_eq!(different_words, 0);
        let different_totals = self
            .count(
                "SELECT count(*) FROM (SELECT word, count(*) AS stores FROM store_words GROUP BY word) AS expected
                 FULL JOIN (SELECT * FROM search_words WHERE stores > 0) AS kept USING (word)
                 WHERE expected.stores IS DISTINCT FROM kept.stores",
            )
            .await;
        assert_eq!(different_totals, 0);
    }
}

#[tokio::test]
async fn the_search_index_follows_every_change_of_stores() {
    let harness = Harness::seeded().await;
    harness.assert_index_is_exact().await;
    for change in [
        "UPDATE stores SET curbside = NOT curbside WHERE city = 'Seattle'",
        "UPDATE stores SET latitude = latitude + 0.5, search_text = search_text || ' pier' WHERE region = 'CA'",
        "UPDATE stores SET paused = true, version = version + 1",
        "DELETE FROM stores WHERE city = 'Seattle'",
        "DELETE FROM stores WHERE false",
        "SELECT rebuild_store_index()",
        "UPDATE stores SET latitude = latitude - 0.5",
    ] {
        sqlx::query(change).execute(&harness.database.pool).await.unwrap();
        harness.assert_index_is_exact().await;
    }
    assert!(harness.find("seattle").await.is_empty());
    assert!(!harness.find("pier").await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn a_postcode_a_city_or_a_state_finds_the_stores_there() {
    let harness = Harness::seeded().await;
    let all = harness.find("juniper").await;
    let store = all.iter().find(|store| !store.postcode.is_empty()).unwrap();
    let (postcode, city, region) = (&store.postcode[..5], &store.city, &store.region);
    let by_postcode = harness.find(postcode).await;
    assert!(by_postcode.iter().any(|found| found.store_id == store.store_id));
    assert!(
        by_postcode
            .iter()
            .all(|found| found.postcode.starts_with(postcode))
    );
    let by_city = harness.find(&format!("{city} {region}")).await;
    assert!(by_city.iter().any(|found| found.store_id == store.store_id));
    assert!(harness.find("00000").await.is_empty());
    assert!(harness.find(&"9".repeat(500)).await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn a_postcode_finds_the_stores_of_its_area_and_no_similar_number() {
    let harness = Harness::seeded().await;
    for (name, street, postcode, latitude, longitude) in [
        ("Manhattan", "1 Ninth Ave", "10011", 40.74, -74.0),
        ("Nearby Street", "10001 Sunset Blvd", "94110", 37.76, -122.42),
        ("Similar", "2 Main St", "10101", 35.0, -100.0),
    ] {
        sqlx::query(
            "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                                 longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
             SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'zip-' || $1, $1, $2,
                    'Town', 'CA', $3, '', $4, $5, 'America/Chicago', 80000, false, 2, lower(concat_ws(' ', $1, $2, 'town ca', $3))",
        )
        .bind(name)
        .bind(street)
        .bind(postcode)
        .bind(latitude)
        .bind(longitude)
        .execute(&harness.database.pool)
        .await
        .unwrap();
    }
    let names = async |term: &str| -> Vec<String> {
        harness
            .find(term)
            .await
            .into_iter()
            .map(|store| store.name)
            .collect()
    };
    // No store has the postcode 10001: those in Manhattan are meant, not the street number nearby.
    for term in ["10001", "10001-2345"] {
        let found = harness.find(term).await;
        assert!(found.iter().any(|store| store.name == "Manhattan"), "{term}");
        assert!(
            found.iter().all(|store| store.postcode.starts_with("100")),
            "{term}"
        );
    }
    assert_eq!(names("10011").await, ["Manhattan"]);
    assert_eq!(names("10001 sunset").await, ["Nearby Street"]);
    // Similar to 10101, but in another area.
    assert!(names("10201").await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn the_pages_of_a_common_word_have_the_nearest_of_many_stores() {
    let harness = Harness::seeded().await;
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                             longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'many-' || n, 'Store ' || n,
                n || ' Street', 'Springfield', 'CA', '', '', 25 + 23 * random(), -124 + 55 * random(),
                'America/Chicago', 80000, n % 3 = 0, 2, 'common corner ' || n
         FROM generate_series(1, 8000) AS n",
    )
    .execute(&harness.database.pool)
    .await
    .unwrap();
    // Far away from all stores, the limit of rows ends the search after fewer pages.
    for (latitude, longitude, count) in [(37.77, -122.42, 250), (25.0, -70.0, 250), (-30.0, 150.0, 150)] {
        let expected: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM stores WHERE search_text LIKE 'common corner%'
             ORDER BY place <-> ll_to_earth($1, $2) LIMIT $3",
        )
        .bind(latitude)
        .bind(longitude)
        .bind(i64::from(count))
        .fetch_all(&harness.database.pool)
        .await
        .unwrap();
        let mut names = Vec::new();
        for skip in (0..count).step_by(50) {
            let request = pb::SearchStoresRequest {
                term: "corn com".into(),
                position: proto_position(latitude, longitude),
                page: proto_page(50, skip),
                ..Default::default()
            };
            let response = ok(harness
                .grpc
                .search_stores(request_from_service("gateway", request))
                .await);
            names.extend(response.stores.into_iter().map(|store| store.name));
        }
        assert_eq!(names, expected, "{latitude}, {longitude}");
    }
    harness.close().await;
}

#[tokio::test]
async fn words_that_are_common_nearby_find_stores_far_away_that_have_all_of_them() {
    let harness = Harness::seeded().await;
    // Thousands of stores near San Francisco have one of the words, and few in New York have both.
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                             longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'many-' || n, 'Store ' || n,
                n || ' Street', 'Springfield', 'CA', '', '',
                CASE WHEN n <= 25 THEN 40.7 WHEN n % 2 = 0 THEN 37.5 ELSE 39.5 END + random(),
                CASE WHEN n <= 25 THEN -74 ELSE -122.5 END + random(), 'America/Chicago', 80000, false, 2,
                CASE WHEN n <= 25 THEN 'york harbor' WHEN n % 2 = 0 THEN 'york' ELSE 'harbor' END
         FROM generate_series(1, 6000) AS n",
    )
    .execute(&harness.database.pool)
    .await
    .unwrap();
    let found = harness.find("york harb").await;
    let inserted = found.iter().filter(|store| store.city == "Springfield");
    assert_eq!(inserted.count(), 25);
    harness.close().await;
}

#[tokio::test]
async fn an_approximate_position_orders_a_list_without_distances() {
    let harness = Harness::seeded().await;
    let request = pb::ListStoresRequest {
        approximate_position: proto_position(47.6, -122.3),
        ..Default::default()
    };
    let near = ok(harness
        .grpc
        .list_stores(request_from_service("gateway", request))
        .await)
    .stores;
    assert_eq!(near[0].city, "Seattle");
    assert!(near.iter().all(|store| store.distance_meters.is_none()));
    let invalid = pb::ListStoresRequest {
        approximate_position: proto_position(91.0, 0.0),
        ..Default::default()
    };
    let result = harness
        .grpc
        .list_stores(request_from_service("gateway", invalid))
        .await;
    assert_eq!(reason(result), "POSITION_INVALID");
    harness.close().await;
}

#[tokio::test]
async fn a_company_has_its_stores_and_its_cities() {
    let harness = Harness::seeded().await;
    let company_id = harness.company_of("Sunset & Maltman").await;
    let get = async |company_id: &str| {
        let request = pb::GetCompanyRequest {
            company_id: company_id.into(),
        };
        harness
            .grpc
            .get_company(request_from_service("gateway", request))
            .await
    };
    let company = ok(get(&company_id).await);
    assert!(company.description.contains("espresso"), "{company:?}");
    let locations = async |company_name: &str| {
        let request = pb::ListLocationsRequest {
            company_name: company_name.into(),
        };
        harness
            .grpc
            .list_locations(request_from_service("gateway", request))
            .await
    };
    let cities = ok(locations(&company.name.to_uppercase()).await);
    assert_eq!(cities.company_id, company_id);
    let in_cities: i64 = cities.locations.iter().map(|location| location.store_count).sum();
    assert_eq!(in_cities, company.store_count);
    assert!(
        cities
            .locations
            .is_sorted_by(|a, b| a.store_count >= b.store_count)
    );

    let mut paged = Vec::new();
    for skip in (0..40).step_by(7) {
        let request = pb::ListStoresRequest {
            position: proto_position(34.05, -118.25),
            company_id: company_id.clone(),
            page: proto_page(7, skip),
            ..Default::default()
        };
        paged.extend(
            ok(harness
                .grpc
                .list_stores(request_from_service("gateway", request))
                .await)
            .stores,
        );
    }
    assert_eq!(i64::try_from(paged.len()).unwrap(), company.store_count);
    assert!(paged.iter().all(|store| store.company_id == company_id));
    assert!(paged.is_sorted_by(|a, b| a.distance_meters <= b.distance_meters));

    // A random id, a valid id of another kind, text, and nothing.
    let random = types::CompanyId::new(jiff::Timestamp::UNIX_EPOCH).to_string();
    for (id, expected) in [
        (random, "COMPANY_UNKNOWN"),
        (unknown_store().to_string(), "ID_MALFORMED"),
        ("' OR 1=1".to_owned(), "ID_MALFORMED"),
        (String::new(), "ID_MALFORMED"),
    ] {
        assert_eq!(reason(get(&id).await), expected, "{id}");
        if id.is_empty() {
            continue;
        }
        let request = pb::ListStoresRequest {
            company_id: id.clone(),
            ..Default::default()
        };
        let result = harness
            .grpc
            .list_stores(request_from_service("gateway", request))
            .await;
        assert_eq!(reason(result), expected, "{id}");
    }
    for unknown in ["", "Unknown Coffee", "%"] {
        assert_eq!(reason(locations(unknown).await), "COMPANY_UNKNOWN", "{unknown}");
    }
    harness.close().await;
}

#[tokio::test]
async fn a_store_has_a_drawn_picture_unless_it_has_a_photo() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Sunset & Maltman").await.to_string();
    let picture = async |store_id: &str| {
        let request = pb::GetStorePictureRequest {
            store_id: store_id.into(),
        };
        harness
            .grpc
            .get_store_picture(request_from_service("gateway", request))
            .await
    };
    let svg = ok(picture(&store_id).await).svg;
    assert!(svg.starts_with("<svg "));
    assert_eq!(
        ok(picture(&store_id).await).svg,
        svg,
        "the same picture every time"
    );
    assert_eq!(
        reason(picture(&unknown_store().to_string()).await),
        "STORE_UNKNOWN"
    );
    assert_eq!(reason(picture("../../etc").await), "ID_MALFORMED");
    let photo_url = async || {
        let request = pb::GetStoreRequest {
            store_id: store_id.clone(),
            position: None,
        };
        ok(harness
            .grpc
            .get_store(request_from_service("gateway", request))
            .await)
        .photo_url
    };
    assert_eq!(photo_url().await, "");
    let set = |url: &'static str| {
        sqlx::query("UPDATE stores SET photo_url = $1 WHERE name = 'Sunset & Maltman'")
            .bind(url)
            .execute(&harness.database.pool)
    };
    set("https://photos.example.com/sunset.jpg").await.unwrap();
    assert_eq!(photo_url().await, "https://photos.example.com/sunset.jpg");
    set("/photos/sunset.jpg").await.unwrap();
    assert_eq!(photo_url().await, "/photos/sunset.jpg");
    for invalid in [
        "javascript:alert(1)",
        "//photos.example.com/a.jpg",
        "photos/a.jpg",
    ] {
        assert!(set(invalid).await.is_err(), "{invalid}");
    }
    harness.close().await;
}
