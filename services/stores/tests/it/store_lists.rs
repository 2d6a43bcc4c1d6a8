//! Lists, search, map and favorites.

use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::db;
use types::{ConsumerId, Page};

use crate::harness::{
    Harness, new_consumer, ok, position, proto_page, proto_position, reason, request_from_consumer,
    request_from_service, unknown_store,
};

impl Harness {
    async fn list(&self, request: pb::ListStoresRequest) -> pb::ListStoresResponse {
        ok(self
            .grpc
            .list_stores(request_from_service("gateway", request))
            .await)
    }

    async fn list_for(&self, consumer: ConsumerId, request: pb::ListStoresRequest) -> pb::ListStoresResponse {
        ok(self
            .grpc
            .list_stores(request_from_consumer(consumer, request))
            .await)
    }

    async fn search(&self, request: pb::SearchStoresRequest) -> pb::ListStoresResponse {
        ok(self
            .grpc
            .search_stores(request_from_service("gateway", request))
            .await)
    }

    async fn map(&self, span_degrees: f64) -> pb::MapStoresResponse {
        let request = pb::MapStoresRequest {
            center: proto_position(37.77, -122.42),
            span_degrees,
            curbside_only: false,
        };
        ok(self
            .grpc
            .map_stores(request_from_service("gateway", request))
            .await)
    }
}

fn search_request(term: &str) -> pb::SearchStoresRequest {
    pb::SearchStoresRequest {
        term: term.into(),
        position: proto_position(37.77, -122.42),
        ..Default::default()
    }
}

fn names(response: &pb::ListStoresResponse) -> Vec<&str> {
    response.stores.iter().map(|store| store.name.as_str()).collect()
}

fn distances(response: &pb::ListStoresResponse) -> Vec<f64> {
    response
        .stores
        .iter()
        .filter_map(|store| store.distance_meters)
        .collect()
}

#[tokio::test]
async fn stores_are_sorted_by_distance_in_meters() {
    let harness = Harness::seeded().await;
    // In Seattle a degree of longitude is 74 km and one of latitude 111: the distance in degrees has another order.
    let page = |take, skip| pb::ListStoresRequest {
        position: proto_position(47.62, -122.33),
        page: proto_page(take, skip),
        ..Default::default()
    };
    let all = harness.list(page(41, 0)).await;
    assert_eq!(distances(&all).len(), 41);
    assert!(distances(&all).is_sorted(), "{:?}", distances(&all));
    assert_eq!(all.stores[0].name, "Pike & Boren");

    let (first, second) = (harness.list(page(3, 0)).await, harness.list(page(3, 3)).await);
    assert_eq!([names(&first), names(&second)].concat(), names(&all)[..6]);
    harness.close().await;
}

#[tokio::test]
async fn lists_are_filtered_by_curbside_pickup_and_company() {
    let harness = Harness::seeded().await;
    let curbside = harness
        .list(pb::ListStoresRequest {
            curbside_only: true,
            ..Default::default()
        })
        .await;
    assert!(!curbside.stores.is_empty() && curbside.stores.iter().all(|store| store.curbside));
    assert!(distances(&curbside).is_empty(), "the position is unknown");

    let company_id = curbside.stores[0].company_id.clone();
    let of_company = harness
        .list(pb::ListStoresRequest {
            company_id: company_id.clone(),
            ..Default::default()
        })
        .await;
    assert!(!of_company.stores.is_empty());
    assert!(
        of_company
            .stores
            .iter()
            .all(|store| store.company_id == company_id)
    );

    let invalid_position = pb::ListStoresRequest {
        position: proto_position(91.0, 0.0),
        ..Default::default()
    };
    let request = request_from_service("gateway", invalid_position);
    assert_eq!(
        reason(harness.grpc.list_stores(request).await),
        "POSITION_INVALID"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_store_shows_its_availability_in_its_own_time_zone() {
    let harness = Harness::seeded().await;
    let get_store = async |name: &str| {
        let request = pb::GetStoreRequest {
            store_id: harness.store(name).await.to_string(),
            position: proto_position(37.77, -122.42),
        };
        ok(harness
            .grpc
            .get_store(request_from_service("gateway", request))
            .await)
    };
    let never_closes = get_store("Market & Van Ness").await;
    assert_eq!(
        (never_closes.open_state(), never_closes.hours_today.as_str()),
        (pb::OpenState::Open, "Open 24 hours")
    );
    assert_eq!(
        (never_closes.next_change_at.as_str(), never_closes.wait_minutes),
        ("", 3)
    );
    assert!(
        never_closes
            .distance_meters
            .is_some_and(|meters| (500.0..700.0).contains(&meters))
    );

    let in_new_york = get_store("Fulton & Pearl").await;
    assert_eq!(
        (in_new_york.open_state(), in_new_york.hours_today.as_str()),
        (pb::OpenState::Closed, "Opens at 1:00 PM")
    );
    assert_eq!(
        (in_new_york.next_change_at.as_str(), in_new_york.wait_minutes),
        ("2026-11-20T18:00:00Z", 0)
    );
    assert_eq!(in_new_york.week.len(), 12, "ten openings and two closed days");

    let in_los_angeles = get_store("Sunset & Maltman").await;
    assert_eq!(
        (
            in_los_angeles.hours_today.as_str(),
            in_los_angeles.next_change_at.as_str()
        ),
        ("Open until 8:00 PM", "2026-11-21T04:00:00Z")
    );

    for (store_id, expected) in [
        (unknown_store().to_string(), "STORE_UNKNOWN"),
        ("' OR 1=1".to_owned(), "ID_MALFORMED"),
    ] {
        let request = pb::GetStoreRequest {
            store_id,
            position: None,
        };
        assert_eq!(
            reason(
                harness
                    .grpc
                    .get_store(request_from_service("gateway", request))
                    .await
            ),
            expected
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn search_tolerates_typos() {
    let harness = Harness::seeded().await;
    for (term, first) in [
        ("Sunset & Maltman", "Sunset & Maltman"),
        ("sunst maltmann", "Sunset & Maltman"),
        ("maltman sunset", "Sunset & Maltman"),
        ("malt", "Sunset & Maltman"),
        ("hawthorn", "Hawthorne & 37th"),
        ("bedfrod", "Bedford & North 7th"),
        ("market st francisco", "Market & Van Ness"),
        ("seatle", "Pioneer Square"),
        ("northligth chicago", "Armitage & Halsted"),
    ] {
        let response = harness.search(search_request(term)).await;
        assert_eq!(
            names(&response).first(),
            Some(&first),
            "{term}: {:?}",
            names(&response)
        );
    }
    for term in ["xylophone", "", "&%", "'; DROP TABLE stores; --"] {
        let response = harness.search(search_request(term)).await;
        assert!(response.stores.is_empty(), "{term}: {:?}", names(&response));
    }
    harness.close().await;
}

#[tokio::test]
async fn equal_matches_are_ordered_by_distance() {
    let harness = Harness::seeded().await;
    let response = harness.search(search_request("juniper lane")).await;
    let distances = distances(&response);
    assert!(distances.len() > 10 && distances.is_sorted(), "{distances:?}");
    let curbside = harness
        .search(pb::SearchStoresRequest {
            curbside_only: true,
            ..search_request("juniper lane")
        })
        .await;
    assert!(!curbside.stores.is_empty() && curbside.stores.iter().all(|store| store.curbside));
    harness.close().await;
}

#[tokio::test]
async fn a_large_map_view_groups_stores_into_clusters() {
    let harness = Harness::seeded().await;
    let city = harness.map(0.0).await;
    assert!(city.stores.len() >= 6 && city.clusters.is_empty());
    let country = harness.map(60.0).await;
    let clustered: u32 = country.clusters.iter().map(|cluster| cluster.count).sum();
    assert!(!country.clusters.is_empty() && country.clusters.iter().all(|cluster| cluster.count > 1));
    assert_eq!(
        usize::try_from(clustered).unwrap() + country.stores.len(),
        41,
        "every store is shown"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_dense_city_has_few_clusters_with_all_of_its_stores() {
    let harness = Harness::seeded().await;
    sqlx::query(
        "INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                             longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
         SELECT gen_random_uuid(), (SELECT company_id FROM companies ORDER BY name LIMIT 1), 'dense-' || n, 'Store ' || n,
                n || ' Street', 'San Francisco', 'CA', '', '', 37.755 + 0.03 * random(), -122.435 + 0.03 * random(),
                'America/Los_Angeles', 80000, false, 2, 'dense ' || n
         FROM generate_series(1, 6000) AS n",
    )
    .execute(&harness.database.pool)
    .await
    .unwrap();
    let city = harness.map(0.03).await;
    let clustered: u32 = city.clusters.iter().map(|cluster| cluster.count).sum();
    assert!(clustered >= 6_000 && city.clusters.len() <= 16, "{city:?}");
    assert!(city.clusters.is_sorted_by(|a, b| a.count >= b.count));
    // A smaller view has fewer stores, and more clusters than cells of the coarser level.
    let block = harness.map(0.004).await;
    assert!(block.clusters.len() + block.stores.len() > 16, "{block:?}");
    harness.close().await;
}

#[tokio::test]
async fn each_consumer_has_their_own_favorites() {
    let harness = Harness::seeded().await;
    let (ann, bob) = (new_consumer(), new_consumer());
    let store_id = harness.store("Sunset & Maltman").await.to_string();
    let favorite = || pb::FavoriteStoreRequest {
        store_id: store_id.clone(),
    };
    let favorites = || pb::ListStoresRequest {
        favorites_only: true,
        ..Default::default()
    };
    for _ in 0..2 {
        let request = request_from_consumer(ann, favorite());
        assert!(ok(harness.grpc.favorite_store(request).await).favorite);
    }
    let of_ann = harness.list_for(ann, favorites()).await;
    assert_eq!(names(&of_ann), ["Sunset & Maltman"]);
    assert!(of_ann.stores[0].favorite);
    assert!(harness.list_for(bob, favorites()).await.stores.is_empty());
    let request = request_from_service("gateway", favorites());
    assert_eq!(reason(harness.grpc.list_stores(request).await), "FORBIDDEN");
    let request = request_from_service("gateway", favorite());
    assert_eq!(reason(harness.grpc.favorite_store(request).await), "FORBIDDEN");
    let unknown = pb::FavoriteStoreRequest {
        store_id: unknown_store().to_string(),
    };
    let request = request_from_consumer(ann, unknown);
    assert_eq!(
        reason(harness.grpc.favorite_store(request).await),
        "STORE_UNKNOWN"
    );
    for _ in 0..2 {
        let request = request_from_consumer(ann, favorite());
        assert!(!ok(harness.grpc.unfavorite_store(request).await).favorite);
    }
    assert!(harness.list_for(ann, favorites()).await.stores.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn stores_at_the_same_place_are_each_on_one_page() {
    let harness = Harness::seeded().await;
    sqlx::query("UPDATE stores SET latitude = 40, longitude = -100")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    let mut conn = harness.database.pool.acquire().await.unwrap();
    let mut all = Vec::new();
    for skip in (0..41).step_by(7) {
        let page = Page::new(7, skip, 7);
        all.extend(
            db::nearest::stores(&mut conn, position(37.0, -122.0), false, page)
                .await
                .unwrap(),
        );
    }
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 41);
    drop(conn);
    harness.close().await;
}
