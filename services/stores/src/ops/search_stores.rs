//! Searches stores by name, company, street, city, state and postcode.

use kit::InternalError;
use sqlx::PgConnection;
use types::{Page, StoreId};

use super::store_views::load_store_views;
use crate::{
    Stores,
    db::search::{self, Match},
    domain::{
        geo::Position,
        map_grid::Cell,
        search_term::{SearchTerm, TermMatch},
        store_query::StoreQuery,
        store_view::StoreView,
    },
};

/// A search that has read this many rows does not look further away, so that its time does not depend on the number of stores.
const MAX_READ_ROWS: i64 = 1_000;
/// A cell with more rows is divided.
const MAX_CELL_ROWS: i64 = 100;

/// Returns stores that match every word of a term, nearest first. A word matches its beginning; if nothing matches, similar
/// words match. A term without letters or digits matches nothing.
pub(crate) async fn search_stores(
    cx: &Stores,
    term: &str,
    query: StoreQuery,
) -> Result<Vec<StoreView>, InternalError> {
    let Some(term) = SearchTerm::parse(term) else {
        return Ok(Vec::new());
    };
    let from = query.order_position(cx.default_position);
    let mut conn = cx.pool.acquire().await?;
    let store_ids = find_matches(&mut conn, &term, from, query.curbside_only, query.page).await?;
    load_store_views(cx, &mut conn, &store_ids, query.consumer_id, query.position).await
}

/// Returns the ids of matching stores, in the order of [`search_stores`].
///
/// # Errors
/// The database is not available.
pub async fn find_matches(
    conn: &mut PgConnection,
    term: &SearchTerm,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    let texts = search::normalize(conn, term).await?;
    let prefixed = search::find_prefixed(conn, &texts).await?;
    let mut terms: Vec<TermMatch> = texts
        .iter()
        .map(|text| TermMatch::prefix(text, &prefixed))
        .collect();
    let mut matches = if terms.iter().all(|term| term.stores > 0) {
        nearest_matches(conn, &terms, from, curbside_only, page).await?
    } else {
        Vec::new()
    };
    if matches.is_empty() {
        let similar = search::find_similar(conn, &texts).await?;
        for (term, text) in terms.iter_mut().zip(&texts) {
            let with_typo = TermMatch::similar(text, &similar);
            if with_typo.stores > 0 && (term.stores == 0 || texts.len() > 1) {
                *term = with_typo;
            }
        }
        if terms.iter().all(|term| term.stores > 0) {
            matches = nearest_matches(conn, &terms, from, curbside_only, page).await?;
        }
    }
    let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Ok(matches.into_iter().skip(skip).map(|found| found.id).collect())
}

/// A cell that may contain matches.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    cell: Cell,
    min_meters: f64,
    rows: i64,
}

/// Returns the stores until the end of the page. Reads the stores of the rarest term by cell, nearest cells first, until no
/// other cell can have a nearer one or [`MAX_READ_ROWS`] were read.
async fn nearest_matches(
    conn: &mut PgConnection,
    terms: &[TermMatch],
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<Match>, sqlx::Error> {
    let Some(rarest) = terms.iter().min_by_key(|term| term.stores) else {
        return Ok(Vec::new());
    };
    let patterns: Vec<String> = terms.iter().map(|term| term.pattern.clone()).collect();
    let needed = usize::try_from(page.limit().saturating_add(page.offset())).unwrap_or(usize::MAX);
    // Farthest first.
    let mut candidates = vec![Candidate {
        cell: Cell::WORLD,
        min_meters: 0.0,
        rows: rarest.stores,
    }];
    let (mut matches, mut read_rows): (Vec<Match>, i64) = (Vec::new(), 0);
    while let Some(nearest) = candidates.pop() {
        let is_complete = matches
            .get(needed.saturating_sub(1))
            .is_some_and(|last| last.meters <= nearest.min_meters);
        if is_complete || read_rows >= MAX_READ_ROWS {
            break;
        }
        match nearest.cell.parts() {
            Some(parts) if nearest.rows > MAX_CELL_ROWS => {
                let ranges: Vec<_> = parts.iter().map(|part| part.numbers()).collect();
                let counts = search::count_rows(conn, &rarest.words, &ranges, MAX_CELL_ROWS + 1).await?;
                candidates.extend(parts.into_iter().filter_map(|cell| {
                    let count = counts.iter().find(|count| count.first == cell.numbers().0)?;
                    Some(Candidate {
                        cell,
                        min_meters: cell.min_meters(from),
                        rows: count.rows,
                    })
                }));
                candidates.sort_by(|a, b| b.min_meters.total_cmp(&a.min_meters));
            }
            _ => {
                let ranges = [nearest.cell.numbers()];
                let found =
                    search::matches_in(conn, &rarest.words, &patterns, &ranges, from, curbside_only).await?;
                matches.extend(found);
                matches.sort_by(|a, b| a.meters.total_cmp(&b.meters).then(a.id.cmp(&b.id)));
                read_rows += nearest.rows;
            }
        }
    }
    matches.truncate(needed);
    Ok(matches)
}
