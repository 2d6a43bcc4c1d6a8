//! Searches stores by name, company, street, city, state and postcode.

use std::collections::HashMap;

use kit::InternalError;
use sqlx::PgConnection;
use types::{Page, StoreId};

use super::store_views::load_store_views;
use crate::{
    Stores,
    db::search::{self, Match},
    domain::{
        geo::Position,
        map_grid::{Cell, CellRange},
        search_term::{SearchTerm, TermMatch, WordMatch, drop_postcode_extension, find_postcode},
        store_query::StoreQuery,
        store_view::StoreView,
    },
};

/// A search stops after this many rows, so that its duration does not depend on the number of stores.
const MAX_READ_ROWS: i64 = 1_000;
/// A cell with more rows is divided. Cells are read together until they have more rows.
const MAX_CELL_ROWS: i64 = 100;
/// Cells that are divided at once.
const BATCH_DIVIDED: usize = 3;
/// Stores that are read around the position first: where a word is common, they include a page of matches.
const NEARBY_STORES: i64 = 200;

/// Returns stores that match every word of a term, nearest first. A word matches words that begin with it; if no store
/// matches, it also matches similar words. A term without letters or digits matches nothing.
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
pub async fn find_matches(
    conn: &mut PgConnection,
    term: &SearchTerm,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    let mut texts = search::normalize(conn, term).await?;
    drop_postcode_extension(&mut texts);
    let prefixed = search::find_prefixed(conn, &texts).await?;
    let mut terms: Vec<TermMatch> = texts
        .iter()
        .enumerate()
        .map(|(place, text)| {
            if place + 1 < texts.len() {
                TermMatch::complete(text, &prefixed)
            } else {
                TermMatch::prefix(text, &prefixed)
            }
        })
        .collect();
    let scope = Scope {
        from,
        curbside_only,
        page,
    };
    let postcode = find_postcode(&texts);
    let mut matches = match postcode {
        Some(place) => postcode_matches(conn, &terms, place, &texts[place], &prefixed, scope).await?,
        None => Vec::new(),
    };
    if matches.is_empty() {
        matches = nearest_matches(conn, &terms, scope).await?;
    }
    // A postcode similar to another one is often in another state.
    if matches.is_empty() && postcode.is_none() {
        let similar = search::find_similar(conn, &texts).await?;
        for (term, text) in terms.iter_mut().zip(&texts) {
            let with_typo = TermMatch::similar(text, &similar);
            if with_typo.stores > 0 && (term.stores == 0 || texts.len() > 1) {
                *term = with_typo;
            }
        }
        matches = nearest_matches(conn, &terms, scope).await?;
    }
    let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Ok(matches.into_iter().skip(skip).map(|found| found.id).collect())
}

/// Where a search looks, and for how many stores.
#[derive(Debug, Clone, Copy)]
struct Scope {
    from: Position,
    curbside_only: bool,
    page: Page,
}

/// Returns the stores with the postcode at `place` of the terms; without any, those of its area.
async fn postcode_matches(
    conn: &mut PgConnection,
    terms: &[TermMatch],
    place: usize,
    postcode: &str,
    prefixed: &[WordMatch],
    scope: Scope,
) -> Result<Vec<Match>, sqlx::Error> {
    let mut terms = terms.to_vec();
    let itself: Vec<WordMatch> = prefixed
        .iter()
        .filter(|found| found.word == postcode)
        .cloned()
        .collect();
    terms[place] = TermMatch::postcode(&itself);
    let matches = nearest_matches(conn, &terms, scope).await?;
    if !matches.is_empty() {
        return Ok(matches);
    }
    terms[place] = TermMatch::postcode(&search::find_postcodes_of_area(conn, postcode).await?);
    nearest_matches(conn, &terms, scope).await
}

/// A cell that may contain matches.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    cell: Cell,
    min_meters: f64,
    rows: i64,
}

impl Candidate {
    /// Returns the parts of a cell that has too many rows to read them all.
    fn parts(&self) -> Option<Vec<Cell>> {
        (self.rows > MAX_CELL_ROWS).then(|| self.cell.parts()).flatten()
    }
}

/// The nearest candidates: cells to read, and parts of cells in which rows are counted.
#[derive(Debug, Default)]
struct Batch {
    read: Vec<CellRange>,
    read_rows: i64,
    parts: Vec<Cell>,
    divided: usize,
}

impl Batch {
    /// Takes candidates from the end of the list. Each statement takes time of its own, so several cells share one.
    fn take_from(candidates: &mut Vec<Candidate>) -> Self {
        let mut batch = Self::default();
        while batch.read_rows <= MAX_CELL_ROWS
            && batch.divided < BATCH_DIVIDED
            && let Some(nearest) = candidates.pop()
        {
            if let Some(parts) = nearest.parts() {
                batch.divided += 1;
                batch.parts.extend(parts);
            } else if nearest.rows > MAX_CELL_ROWS && !batch.read.is_empty() {
                // A cell of the finest level may have so many rows that not all are read: it is read alone.
                candidates.push(nearest);
                break;
            } else {
                batch.read_rows += nearest.rows;
                batch.read.push(nearest.cell.numbers());
            }
        }
        batch
    }
}

/// Returns the stores until the end of the page; none if no store has a word of each term. Reads the stores of the rarest
/// term by cell, nearest cells first, until no other cell can have a nearer one or [`MAX_READ_ROWS`] were read.
async fn nearest_matches(
    conn: &mut PgConnection,
    terms: &[TermMatch],
    scope: Scope,
) -> Result<Vec<Match>, sqlx::Error> {
    let Scope {
        from,
        curbside_only,
        page,
    } = scope;
    if terms.iter().any(|term| term.stores == 0) {
        return Ok(Vec::new());
    }
    let mut terms: Vec<&TermMatch> = terms.iter().collect();
    terms.sort_by_key(|term| term.stores);
    let Some((rarest, others)) = terms.split_first() else {
        return Ok(Vec::new());
    };
    let other_terms: Vec<String> = others.iter().map(|term| term.words.join(" ")).collect();
    let patterns: Vec<String> = terms.iter().map(|term| term.pattern.clone()).collect();
    let needed = usize::try_from(page.limit().saturating_add(page.offset())).unwrap_or(usize::MAX);
    let mut nearby =
        search::matches_among_nearest(conn, &patterns, from, curbside_only, NEARBY_STORES).await?;
    if nearby.len() >= needed {
        nearby.truncate(needed);
        return Ok(nearby);
    }
    // Farthest first.
    let mut candidates = vec![Candidate {
        cell: Cell::WORLD,
        min_meters: 0.0,
        rows: rarest.stores,
    }];
    // The nearest matches also have words that are not among the most common ones of a prefix.
    let (mut matches, mut read_rows): (Vec<Match>, i64) = (nearby, 0);
    while let Some(nearest) = candidates.last() {
        let is_complete = matches
            .get(needed.saturating_sub(1))
            .is_some_and(|last| last.meters <= nearest.min_meters);
        if is_complete || read_rows >= MAX_READ_ROWS {
            break;
        }
        let batch = Batch::take_from(&mut candidates);
        if !batch.parts.is_empty() {
            let counted = count_parts(conn, &rarest.words, &other_terms, &batch.parts, from);
            candidates.extend(counted.await?);
            candidates.sort_by(|a, b| b.min_meters.total_cmp(&a.min_meters));
        }
        if !batch.read.is_empty() {
            let found = search::matches_in(conn, &rarest.words, &patterns, &batch.read, from, curbside_only);
            matches.extend(found.await?);
            matches.sort_by(|a, b| a.meters.total_cmp(&b.meters).then(a.id.cmp(&b.id)));
            matches.dedup_by_key(|found| found.id);
            read_rows += batch.read_rows;
        }
    }
    matches.truncate(needed);
    Ok(matches)
}

/// Returns the cells that have rows of the words and of the other terms.
async fn count_parts(
    conn: &mut PgConnection,
    words: &[String],
    other_terms: &[String],
    parts: &[Cell],
    from: Position,
) -> Result<Vec<Candidate>, sqlx::Error> {
    let ranges: Vec<CellRange> = parts.iter().map(|part| part.numbers()).collect();
    let counts = search::count_rows(conn, words, other_terms, &ranges, MAX_CELL_ROWS + 1).await?;
    let rows: HashMap<i32, i64> = counts.iter().map(|count| (count.first, count.rows)).collect();
    let candidates = parts.iter().filter_map(|cell| {
        Some(Candidate {
            cell: *cell,
            min_meters: cell.min_meters(from),
            rows: *rows.get(&cell.numbers().0)?,
        })
    });
    Ok(candidates.collect())
}
