//! Searches stores by name, company, street and city.

use kit::InternalError;
use sqlx::PgConnection;
use types::{Page, StoreId};

use super::store_views::load_store_views;
use crate::{
    Stores,
    db::search::{self, MatchThreshold, SearchIndex},
    domain::{geo::Position, search_term::SearchTerm, store_query::StoreQuery, store_view::StoreView},
};

/// A term that at least this many stores match exactly, such as the name of a company, is common: its matches are
/// ordered by distance only.
const COMMON_TERM_MATCHES: i64 = 300;

/// Returns matching stores, best match first and nearest first among equal matches. A term without letters or digits
/// matches nothing.
pub(crate) async fn search_stores(
    cx: &Stores,
    term: &str,
    query: StoreQuery,
) -> Result<Vec<StoreView>, InternalError> {
    let Some(term) = SearchTerm::parse(term) else {
        return Ok(Vec::new());
    };
    let from = query.position.unwrap_or(cx.default_position);
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
    let mut tx = sqlx::Connection::begin(conn).await?;
    let words = search::normalize(&mut tx, term).await?;
    search::configure(&mut tx, MatchThreshold::Exact, SearchIndex::Text).await?;
    let is_common = search::has_matches(&mut tx, &words, curbside_only, COMMON_TERM_MATCHES).await?;
    let store_ids = if is_common {
        search::configure(&mut tx, MatchThreshold::Exact, SearchIndex::Position).await?;
        search::nearest_matches(&mut tx, &words, from, curbside_only, page).await?
    } else {
        search::configure(&mut tx, MatchThreshold::Fuzzy, SearchIndex::Text).await?;
        search::best_matches(&mut tx, &words, from, curbside_only, page).await?
    };
    tx.commit().await?;
    Ok(store_ids)
}
