//! P5: finding stores as their number grows, through the service and through a gateway that has not cached the response.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use proto::{
    stores::v1::{ListStoresRequest, MapStoresRequest, SearchStoresRequest},
    values::v1::{Page, Position},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::Instant;
use url::Url;

use crate::{
    bulk_stores::{self, Template},
    http::{RepeatedRequest, closed_loop},
    report::{Section, TargetResult, format_ms, millis, percentile},
    services,
};

const SIZES: [i64; 3] = [1_000, 100_000, 1_000_000];
const WARM_UP: Duration = Duration::from_millis(1_500);
/// Half the heights of map views, in degrees of latitude.
const CITY: f64 = 0.05;
const REGION: f64 = 1.5;
const COUNTRY: f64 = 14.0;
const PAGE: Page = Page { take: 20, skip: 0 };

#[derive(Debug, Clone, Copy, PartialEq)]
enum Find {
    Nearest,
    Search,
    Map(f64),
}

const FINDS: [(&str, Find); 5] = [
    ("nearest", Find::Nearest),
    ("search as you type", Find::Search),
    ("map of a city", Find::Map(CITY)),
    ("map of a region", Find::Map(REGION)),
    ("map of the country", Find::Map(COUNTRY)),
];

/// A request, the same for the service and for the gateway.
#[derive(Debug, Clone)]
struct Query {
    find: Find,
    position: Position,
    term: String,
}

struct Latencies {
    service: Vec<Duration>,
    gateway: Vec<Duration>,
}

/// Measures each kind of query with each number of stores.
pub async fn measure(gateway: &str, file: &str, max_stores: i64, time: Duration) -> anyhow::Result<Section> {
    let templates: Arc<[Template]> = bulk_stores::import_templates(file).await?.into();
    let (mut rows, mut results) = (Vec::new(), Vec::new());
    for size in SIZES.into_iter().filter(|size| *size <= max_stores) {
        let started = Instant::now();
        bulk_stores::grow_to(size).await?;
        eprintln!(
            "  {size} stores, loaded in {:.0} s",
            started.elapsed().as_secs_f64()
        );
        for (name, find) in FINDS {
            let latencies = measure_find(gateway, &templates, find, time).await?;
            let mut row = vec![size.to_string(), name.to_owned()];
            for latencies in [&latencies.service, &latencies.gateway] {
                row.extend([50, 99].map(|percent| format_ms(percentile(latencies, percent))));
            }
            row.push(latencies.gateway.len().to_string());
            eprintln!("    {}", row.join(", "));
            rows.push(row);
            results.push((size, find, latencies));
        }
    }
    Ok(Section {
        id: "p5",
        columns: &[
            "stores",
            "query",
            "service, p50",
            "p99",
            "gateway, p50",
            "p99",
            "requests",
        ],
        rows,
        targets: targets(&results),
    })
}

fn targets(results: &[(i64, Find, Latencies)]) -> Vec<TargetResult> {
    let of = |size: Option<i64>, find: Find| {
        let mut found = results
            .iter()
            .filter(move |result| Some(result.0) == size && result.1 == find);
        found.next().map(|result| &result.2)
    };
    let sizes = || results.iter().map(|result| result.0);
    let (smallest, largest) = (sizes().min(), sizes().max());
    let mut targets = Vec::new();
    if let Some((small, large)) = of(smallest, Find::Nearest).zip(of(largest, Find::Nearest)) {
        let growth = millis(percentile(&large.service, 50)) / millis(percentile(&small.service, 50));
        targets.push(TargetResult::at_most(
            "growth of p50 of the nearest stores",
            growth,
            3.0,
            "",
        ));
    }
    for ((name, find), target) in FINDS.into_iter().zip([10.0, 50.0, 50.0, 50.0, 50.0]) {
        let Some(latencies) = of(largest, find) else {
            continue;
        };
        for (through, latencies) in [("service", &latencies.service), ("gateway", &latencies.gateway)] {
            let name = format!("p99, {name}, {through}, {} stores", largest.unwrap_or_default());
            targets.push(TargetResult::at_most(
                &name,
                millis(percentile(latencies, 99)),
                target,
                " ms",
            ));
        }
    }
    targets
}

/// Sends one query after the other.
async fn measure_find(
    gateway: &str,
    templates: &Arc<[Template]>,
    find: Find,
    time: Duration,
) -> anyhow::Result<Latencies> {
    let mut random = StdRng::seed_from_u64(7);
    send_until(templates, find, &mut random, WARM_UP).await?;
    let mut service = send_until(templates, find, &mut random, time).await?;
    service.sort_unstable();
    let (base, templates) = (Url::parse(gateway)?, Arc::clone(templates));
    let request = Arc::new(RepeatedRequest::get_each(move |number| {
        let mut random = StdRng::seed_from_u64(number as u64 + 1_000);
        Query::new(&templates, find, &mut random).url(&base)
    }));
    let gateway = closed_loop(&request, 1, time).await?;
    Ok(Latencies { service, gateway })
}

async fn send_until(
    templates: &[Template],
    find: Find,
    random: &mut StdRng,
    time: Duration,
) -> anyhow::Result<Vec<Duration>> {
    let mut client = services::stores()?;
    let end = Instant::now() + time;
    let mut latencies = Vec::new();
    while Instant::now() < end {
        let query = Query::new(templates, find, random);
        let sent = Instant::now();
        let result = match find {
            Find::Nearest => client.list_stores(query.list()).await.map(drop),
            Find::Search => client.search_stores(query.search()).await.map(drop),
            Find::Map(_) => client.map_stores(query.map()).await.map(drop),
        };
        result.with_context(|| format!("{query:?}"))?;
        latencies.push(sent.elapsed());
    }
    Ok(latencies)
}

impl Query {
    /// Creates a query around a random store.
    fn new(templates: &[Template], find: Find, random: &mut StdRng) -> Self {
        let near = &templates[random.random_range(0..templates.len())];
        let template = &templates[random.random_range(0..templates.len())];
        let position = Position {
            latitude: near.latitude + random.random_range(-0.2..0.2),
            longitude: near.longitude + random.random_range(-0.2..0.2),
        };
        Self {
            find,
            position,
            term: typed_term(template, random),
        }
    }

    fn list(&self) -> ListStoresRequest {
        ListStoresRequest {
            position: Some(self.position),
            page: Some(PAGE),
            ..Default::default()
        }
    }

    fn search(&self) -> SearchStoresRequest {
        SearchStoresRequest {
            position: Some(self.position),
            page: Some(PAGE),
            term: self.term.clone(),
            ..Default::default()
        }
    }

    fn map(&self) -> MapStoresRequest {
        let Find::Map(span_degrees) = self.find else {
            return MapStoresRequest::default();
        };
        MapStoresRequest {
            center: Some(self.position),
            span_degrees,
            ..Default::default()
        }
    }

    fn url(&self, gateway: &Url) -> Url {
        let mut url = gateway.clone();
        let path = match self.find {
            Find::Nearest => "list",
            Find::Search => "search",
            Find::Map(_) => "map",
        };
        url.set_path(&format!("/api/consumer/stores/{path}"));
        let mut query = url.query_pairs_mut();
        query.append_pair("lat", &self.position.latitude.to_string());
        query.append_pair("lon", &self.position.longitude.to_string());
        match self.find {
            Find::Nearest => {}
            Find::Search => drop(query.append_pair("term", &self.term)),
            Find::Map(span) => drop(query.append_pair("span", &span.to_string())),
        }
        drop(query);
        url
    }
}

/// Returns what a consumer has typed so far of a city, a state with it, a store, a street or a postcode. One in twenty has a typo.
fn typed_term(template: &Template, random: &mut StdRng) -> String {
    let text = match random.random_range(0..6) {
        0 | 1 => template.city.clone(),
        2 => format!("{} {}", template.city, template.region),
        3 => template.name.clone(),
        4 => template.street.clone(),
        _ => template.postcode.chars().take(5).collect(),
    };
    let mut letters: Vec<char> = text.chars().collect();
    let typed = random.random_range(1..=letters.len().max(1));
    letters.truncate(typed);
    if letters.len() > 4 && random.random_range(0..20) == 0 {
        letters.swap(2, 3);
    }
    letters.into_iter().collect()
}
