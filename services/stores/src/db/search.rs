//! Text search for stores, through the trigram index.
//!
//! A word matches a store if `word_similarity` reaches the threshold that [`configure`] sets for the transaction. Each
//! comparison takes microseconds, so queries must not visit more rows than necessary.

use sqlx::PgConnection;
use types::{Page, StoreId};

use crate::domain::{geo::Position, search_term::SearchTerm};

/// How similar a word must be to a part of a store's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchThreshold {
    /// The word itself, or its beginning.
    Exact,
    /// The word with a typo.
    Fuzzy,
}

/// The index through which rows are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchIndex {
    Text,
    Position,
}

/// The words of a term without accents, as in `stores.search_text`.
#[derive(Debug, Default)]
pub(crate) struct SearchWords {
    first: Option<String>,
    second: Option<String>,
    third: Option<String>,
    fourth: Option<String>,
    count: i32,
}

/// Removes the accents of the words.
pub(crate) async fn normalize(
    conn: &mut PgConnection,
    term: &SearchTerm,
) -> Result<SearchWords, sqlx::Error> {
    let words = sqlx::query_scalar!(
        r#"SELECT unaccent(word) AS "word!" FROM unnest($1::text[]) AS word"#,
        term.words()
    )
    .fetch_all(conn)
    .await?;
    let count = i32::try_from(words.len()).unwrap_or(1);
    let mut words = words.into_iter();
    Ok(SearchWords {
        first: words.next(),
        second: words.next(),
        third: words.next(),
        fourth: words.next(),
        count,
    })
}

/// Sets the threshold and the index for the rest of the transaction. The planner does not know the cost of comparing
/// texts, and would read the whole table for a common word.
pub(crate) async fn configure(
    tx: &mut PgConnection,
    threshold: MatchThreshold,
    index: SearchIndex,
) -> Result<(), sqlx::Error> {
    let min_similarity = match threshold {
        MatchThreshold::Exact => "0.8",
        MatchThreshold::Fuzzy => "0.45",
    };
    let bitmap_scan = match index {
        SearchIndex::Text => "on",
        SearchIndex::Position => "off",
    };
    sqlx::query!(
        "SELECT set_config('pg_trgm.word_similarity_threshold', $1, true) AS threshold,
                set_config('enable_seqscan', 'off', true) AS seqscan,
                set_config('enable_bitmapscan', $2, true) AS bitmapscan",
        min_similarity,
        bitmap_scan,
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

/// Returns whether at least `min_count` stores match.
pub(crate) async fn has_matches(
    tx: &mut PgConnection,
    words: &SearchWords,
    curbside_only: bool,
    min_count: i64,
) -> Result<bool, sqlx::Error> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM stores
               WHERE $1 <% search_text AND ($2::text IS NULL OR $2 <% search_text)
                 AND ($3::text IS NULL OR $3 <% search_text) AND ($4::text IS NULL OR $4 <% search_text)
                 AND (curbside OR NOT $5)
               LIMIT $6) AS matches"#,
        words.first,
        words.second,
        words.third,
        words.fourth,
        curbside_only,
        min_count,
    )
    .fetch_one(tx)
    .await?;
    Ok(count == min_count)
}

/// Returns matching stores, nearest first.
pub(crate) async fn nearest_matches(
    tx: &mut PgConnection,
    words: &SearchWords,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE $1 <% search_text AND ($2::text IS NULL OR $2 <% search_text)
             AND ($3::text IS NULL OR $3 <% search_text) AND ($4::text IS NULL OR $4 <% search_text)
             AND (curbside OR NOT $7)
           ORDER BY place <-> ll_to_earth($5, $6)
           LIMIT $8 OFFSET $9"#,
        words.first,
        words.second,
        words.third,
        words.fourth,
        from.latitude(),
        from.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(tx)
    .await
}

/// Returns matching stores, best match first and nearest first among equal matches. Similarities are rounded to tenths,
/// so that a single letter does not outweigh the distance.
pub(crate) async fn best_matches(
    tx: &mut PgConnection,
    words: &SearchWords,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE $1 <% search_text AND ($2::text IS NULL OR $2 <% search_text)
             AND ($3::text IS NULL OR $3 <% search_text) AND ($4::text IS NULL OR $4 <% search_text)
             AND (curbside OR NOT $7)
           ORDER BY
             round((word_similarity($1, search_text) + coalesce(word_similarity($2, search_text), 0)
                  + coalesce(word_similarity($3, search_text), 0) + coalesce(word_similarity($4, search_text), 0)
                   )::numeric / $10::integer, 1) DESC,
             place <-> ll_to_earth($5, $6), store_id
           LIMIT $8 OFFSET $9"#,
        words.first,
        words.second,
        words.third,
        words.fourth,
        from.latitude(),
        from.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
        words.count,
    )
    .fetch_all(tx)
    .await
}
