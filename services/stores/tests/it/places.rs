//! Nearest first, search, map and favourites.

use proto::stores::v1::{self, stores_server::Stores as _};
use stores::db;
use types::Page;

use crate::harness::{Harness, consumer, new_consumer, nowhere, on_map, position, reason, service};

fn names(answer: &v1::ListStoresResponse) -> Vec<&str> {
    answer.stores.iter().map(|store| store.name.as_str()).collect()
}

fn search(term: &str) -> v1::SearchStoresRequest {
    v1::SearchStoresRequest {
        term: term.into(),
        position: on_map(37.77, -122.42),
        ..Default::default()
    }
}

#[tokio::test]
async fn the_nearest_come_first_by_true_distance() {
    let harness = Harness::seeded().await;
    // North of Seattle a degree of longitude is 74 km, of latitude 111: by degrees alone the order would differ.
    let asked = v1::ListStoresRequest {
        position: on_map(47.62, -122.33),
        page: Some(proto::values::v1::Page { take: 41, skip: 0 }),
        ..Default::default()
    };
    let answer = harness
        .grpc
        .list_stores(service("gateway", asked.clone()))
        .await
        .unwrap()
        .into_inner();
    let distances: Vec<f64> = answer
        .stores
        .iter()
        .filter_map(|store| store.distance_meters)
        .collect();
    assert_eq!(distances.len(), 41);
    assert!(distances.is_sorted(), "{distances:?}");
    assert_eq!(answer.stores[0].name, "Pike & Boren");

    let page = |take, skip| v1::ListStoresRequest {
        page: Some(proto::values::v1::Page { take, skip }),
        ..asked.clone()
    };
    let (first, second) = (page(3, 0), page(3, 3));
    let first = harness
        .grpc
        .list_stores(service("gateway", first))
        .await
        .unwrap()
        .into_inner();
    let second = harness
        .grpc
        .list_stores(service("gateway", second))
        .await
        .unwrap()
        .into_inner();
    assert_eq!([names(&first), names(&second)].concat(), names(&answer)[..6]);
    harness.close().await;
}

#[tokio::test]
async fn lists_can_be_narrowed() {
    let harness = Harness::seeded().await;
    let curbside = v1::ListStoresRequest {
        curbside_only: true,
        ..Default::default()
    };
    let answer = harness
        .grpc
        .list_stores(service("gateway", curbside))
        .await
        .unwrap()
        .into_inner();
    assert!(!answer.stores.is_empty() && answer.stores.iter().all(|store| store.curbside));
    assert!(
        answer.stores.iter().all(|store| store.distance_meters.is_none()),
        "nobody said where they are"
    );

    let company_id = answer.stores[0].company_id.clone();
    let of_company = v1::ListStoresRequest {
        company_id: company_id.clone(),
        ..Default::default()
    };
    let answer = harness
        .grpc
        .list_stores(service("gateway", of_company))
        .await
        .unwrap()
        .into_inner();
    assert!(!answer.stores.is_empty() && answer.stores.iter().all(|store| store.company_id == company_id));

    let somewhere_else = v1::ListStoresRequest {
        position: on_map(91.0, 0.0),
        ..Default::default()
    };
    assert_eq!(
        reason(harness.grpc.list_stores(service("gateway", somewhere_else)).await),
        "POSITION_INVALID"
    );
    harness.close().await;
}

#[tokio::test]
async fn says_how_a_store_stands_in_its_own_time() {
    let harness = Harness::seeded().await;
    let card = async |name: &str| {
        let store_id = harness.store(name).await.to_string();
        let asked = v1::GetStoreRequest {
            store_id,
            position: on_map(37.77, -122.42),
        };
        harness
            .grpc
            .get_store(service("gateway", asked))
            .await
            .unwrap()
            .into_inner()
    };
    // Friday, 9:00 in San Francisco and noon in New York.
    let always = card("Market & Van Ness").await;
    assert_eq!(
        (always.open_state(), always.hours_today.as_str()),
        (v1::OpenState::Open, "Open 24 hours")
    );
    assert_eq!((always.next_change_at.as_str(), always.wait_minutes), ("", 3));
    assert!(
        always
            .distance_meters
            .is_some_and(|meters| (500.0..700.0).contains(&meters))
    );

    let noon_break = card("Fulton & Pearl").await;
    assert_eq!(
        (noon_break.open_state(), noon_break.hours_today.as_str()),
        (v1::OpenState::Closed, "Opens at 1:00 PM")
    );
    assert_eq!(
        (noon_break.next_change_at.as_str(), noon_break.wait_minutes),
        ("2026-11-20T18:00:00Z", 0)
    );
    assert_eq!(noon_break.week.len(), 12, "ten spans, and two closed days");

    let west = card("Sunset & Maltman").await;
    assert_eq!(
        (west.hours_today.as_str(), west.next_change_at.as_str()),
        ("Open until 8:00 PM", "2026-11-21T04:00:00Z")
    );

    let unknown = v1::GetStoreRequest {
        store_id: nowhere().to_string(),
        position: None,
    };
    assert_eq!(
        reason(harness.grpc.get_store(service("gateway", unknown)).await),
        "STORE_UNKNOWN"
    );
    let rubbish = v1::GetStoreRequest {
        store_id: "' OR 1=1".into(),
        position: None,
    };
    assert_eq!(
        reason(harness.grpc.get_store(service("gateway", rubbish)).await),
        "STORE_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn search_forgives_slips() {
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
        let answer = harness
            .grpc
            .search_stores(service("gateway", search(term)))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(
            names(&answer).first(),
            Some(&first),
            "{term}: {:?}",
            names(&answer)
        );
    }
    for nothing in ["xylophone", "", "&%", "'; DROP TABLE stores; --"] {
        let answer = harness
            .grpc
            .search_stores(service("gateway", search(nothing)))
            .await
            .unwrap()
            .into_inner();
        assert!(answer.stores.is_empty(), "{nothing}: {:?}", names(&answer));
    }
    harness.close().await;
}

#[tokio::test]
async fn among_equal_matches_the_nearest_comes_first() {
    let harness = Harness::seeded().await;
    let answer = harness
        .grpc
        .search_stores(service("gateway", search("juniper lane")))
        .await
        .unwrap()
        .into_inner();
    let distances: Vec<f64> = answer
        .stores
        .iter()
        .filter_map(|store| store.distance_meters)
        .collect();
    assert!(distances.len() > 10 && distances.is_sorted(), "{distances:?}");
    let curbside = v1::SearchStoresRequest {
        curbside_only: true,
        ..search("juniper lane")
    };
    let answer = harness
        .grpc
        .search_stores(service("gateway", curbside))
        .await
        .unwrap()
        .into_inner();
    assert!(!answer.stores.is_empty() && answer.stores.iter().all(|store| store.curbside));
    harness.close().await;
}

#[tokio::test]
async fn a_map_shows_stores_and_then_clusters() {
    let harness = Harness::seeded().await;
    let map = async |span_degrees| {
        let asked = v1::MapStoresRequest {
            center: on_map(37.77, -122.42),
            span_degrees,
            curbside_only: false,
        };
        harness
            .grpc
            .map_stores(service("gateway", asked))
            .await
            .unwrap()
            .into_inner()
    };
    let near = map(0.0).await;
    assert!(near.stores.len() >= 6 && near.clusters.is_empty());
    let country = map(60.0).await;
    let clustered: u32 = country.clusters.iter().map(|cluster| cluster.count).sum();
    assert!(!country.clusters.is_empty() && country.clusters.iter().all(|cluster| cluster.count > 1));
    assert_eq!(
        usize::try_from(clustered).unwrap() + country.stores.len(),
        41,
        "nobody is lost"
    );
    harness.close().await;
}

#[tokio::test]
async fn favourites_are_the_consumers_own() {
    let harness = Harness::seeded().await;
    let (ann, bob) = (new_consumer(), new_consumer());
    let liked = harness.store("Sunset & Maltman").await;
    let like = || v1::FavoriteStoreRequest {
        store_id: liked.to_string(),
    };
    for _ in 0..2 {
        assert!(
            harness
                .grpc
                .favorite_store(consumer(ann, like()))
                .await
                .unwrap()
                .into_inner()
                .favorite
        );
    }
    let mine = v1::ListStoresRequest {
        favorites_only: true,
        ..Default::default()
    };
    let answer = harness
        .grpc
        .list_stores(consumer(ann, mine.clone()))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(names(&answer), ["Sunset & Maltman"]);
    assert!(answer.stores[0].favorite);
    assert!(
        harness
            .grpc
            .list_stores(consumer(bob, mine.clone()))
            .await
            .unwrap()
            .into_inner()
            .stores
            .is_empty()
    );
    assert_eq!(
        reason(harness.grpc.list_stores(service("gateway", mine.clone())).await),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(harness.grpc.favorite_store(service("gateway", like())).await),
        "FORBIDDEN"
    );
    let unknown = v1::FavoriteStoreRequest {
        store_id: nowhere().to_string(),
    };
    assert_eq!(
        reason(harness.grpc.favorite_store(consumer(ann, unknown)).await),
        "STORE_UNKNOWN"
    );
    for _ in 0..2 {
        assert!(
            !harness
                .grpc
                .unfavorite_store(consumer(ann, like()))
                .await
                .unwrap()
                .into_inner()
                .favorite
        );
    }
    assert!(
        harness
            .grpc
            .list_stores(consumer(ann, mine))
            .await
            .unwrap()
            .into_inner()
            .stores
            .is_empty()
    );
    harness.close().await;
}

#[tokio::test]
async fn stores_in_one_place_are_each_on_one_page() {
    let harness = Harness::seeded().await;
    sqlx::query("UPDATE stores SET latitude = 40, longitude = -100")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    let mut conn = harness.database.pool.acquire().await.unwrap();
    let mut all = Vec::new();
    for skip in (0..41).step_by(7) {
        all.extend(
            db::near::nearest(&mut conn, position(37.0, -122.0), false, Page::new(7, skip, 7))
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
