//! Finds stores by the words of their search text.
//!
//! `search_words` contains every word, to replace a prefix or a word with a typo by existing words. `store_words`
//! contains the stores of each word by map cell, so that only stores near a position are read. Triggers maintain both
//! tables.

use sqlx::PgConnection;
use types::StoreId;

use crate::domain::{
    geo::Position,
    map_grid::CellRange,
    search_term::{SearchTerm, WordMatch},
};

/// Maximum number of words that replace a prefix: the word itself, then the most common ones.
const MAX_PREFIX_WORDS: i64 = 12;
/// Maximum number of words that replace a word with a typo, most similar first.
const MAX_SIMILAR_WORDS: i64 = 3;
/// Maximum number of rows of one read, because one cell of the finest level may contain many stores.
const MAX_ROWS: i64 = 2_000;

/// A matching store and its distance from the position of the search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    pub(crate) id: StoreId,
    pub(crate) meters: f64,
}

/// The number of rows in a range of cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RangeCount {
    /// The first cell of the range.
    pub(crate) first: i32,
    pub(crate) rows: i64,
}

/// Splits a term into words without accents, in the same way as the search texts of stores.
pub(crate) async fn normalize(
    conn: &mut PgConnection,
    term: &SearchTerm,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT word AS "word!"
           FROM regexp_split_to_table(lower(unaccent($1)), '[^[:alnum:]]+') WITH ORDINALITY AS split (word, place)
           WHERE word <> '' GROUP BY word ORDER BY min(place)"#,
        term.words().join(" "),
    )
    .fetch_all(conn)
    .await
}

/// Returns the words that begin with each text.
pub(crate) async fn find_prefixed(
    conn: &mut PgConnection,
    texts: &[String],
) -> Result<Vec<WordMatch>, sqlx::Error> {
    sqlx::query_as!(
        WordMatch,
        r#"SELECT text AS "text!", word, stores
           FROM unnest($1::text[]) AS text CROSS JOIN LATERAL (
               SELECT word, stores FROM search_words
               WHERE word >= text COLLATE "C" AND word < (text || chr(1114111)) COLLATE "C" AND stores > 0
               ORDER BY word = text DESC, stores DESC, word LIMIT $2) AS found"#,
        texts,
        MAX_PREFIX_WORDS,
    )
    .fetch_all(conn)
    .await
}

/// Returns the words of five digits in the area of a postcode, which has the same first three digits. Some of them may be
/// numbers of streets.
pub(crate) async fn find_postcodes_of_area(
    conn: &mut PgConnection,
    postcode: &str,
) -> Result<Vec<WordMatch>, sqlx::Error> {
    sqlx::query_as!(
        WordMatch,
        r#"SELECT $1 AS "text!", word, stores FROM search_words
           WHERE word >= left($1, 3) COLLATE "C" AND word < (left($1, 3) || ':') COLLATE "C"
             AND word ~ '^[0-9]{5}$' AND stores > 0"#,
        postcode,
    )
    .fetch_all(conn)
    .await
}

/// Returns the words that are similar to each text.
pub(crate) async fn find_similar(
    conn: &mut PgConnection,
    texts: &[String],
) -> Result<Vec<WordMatch>, sqlx::Error> {
    sqlx::query_as!(
        WordMatch,
        r#"SELECT text AS "text!", word, stores
           FROM unnest($1::text[]) AS text CROSS JOIN LATERAL (
               SELECT word, stores FROM search_words
               WHERE word % text AND stores > 0
               ORDER BY similarity(word, text) DESC, stores DESC, word LIMIT $2) AS found"#,
        texts,
        MAX_SIMILAR_WORDS,
    )
    .fetch_all(conn)
    .await
}

/// Returns those of the nearest stores that match every pattern, nearest first. Reads up to `limit` stores without a look at their
/// words, and omits the farthest of them, because other stores may be at the same distance.
pub(crate) async fn matches_among_nearest(
    conn: &mut PgConnection,
    patterns: &[String],
    from: Position,
    curbside_only: bool,
    limit: i64,
) -> Result<Vec<Match>, sqlx::Error> {
    sqlx::query_as!(
        Match,
        r#"WITH nearest AS MATERIALIZED (
               SELECT store_id, search_text, curbside, place <-> ll_to_earth($1, $2) AS meters
               FROM stores ORDER BY place <-> ll_to_earth($1, $2) LIMIT $3)
           SELECT store_id AS "id!: StoreId", meters AS "meters!" FROM nearest
           WHERE search_text ~ ALL ($4::text[]) AND (curbside OR NOT $5)
             AND meters < (SELECT max(meters) FROM nearest)
           ORDER BY 2, 1"#,
        from.latitude(),
        from.longitude(),
        limit,
        patterns,
        curbside_only,
    )
    .fetch_all(conn)
    .await
}

/// Counts the rows of words in each range of cells, up to `limit` per range. Omits ranges without rows.
pub(crate) async fn count_rows(
    conn: &mut PgConnection,
    words: &[String],
    other_terms: &[String],
    ranges: &[CellRange],
    limit: i64,
) -> Result<Vec<RangeCount>, sqlx::Error> {
    let (first, last): (Vec<i32>, Vec<i32>) = ranges.iter().copied().unzip();
    sqlx::query_as!(
        RangeCount,
        r#"SELECT first AS "first!", rows AS "rows!"
           FROM unnest($2::integer[], $3::integer[]) AS ranges (first, last) CROSS JOIN LATERAL (
               SELECT count(*) AS rows FROM (
                   SELECT FROM unnest($1::text[]) AS term (word)
                   JOIN store_words ON store_words.word = term.word COLLATE "C" AND cell BETWEEN first AND last
                   LIMIT $4) AS found) AS counts
           WHERE rows > 0 AND NOT EXISTS (
               SELECT FROM unnest($5::text[]) AS other (words) WHERE NOT EXISTS (
                   SELECT FROM string_to_table(other.words, ' ') AS term (word)
                   JOIN store_words ON store_words.word = term.word COLLATE "C" AND cell BETWEEN first AND last))"#,
        words,
        &first,
        &last,
        limit,
        other_terms,
    )
    .fetch_all(conn)
    .await
}

/// Returns the stores in ranges of cells that have one of the words and match every pattern, nearest first. OFFSET prevents a
/// join that reads the whole table of stores.
pub(crate) async fn matches_in(
    conn: &mut PgConnection,
    words: &[String],
    patterns: &[String],
    ranges: &[CellRange],
    from: Position,
    curbside_only: bool,
) -> Result<Vec<Match>, sqlx::Error> {
    let (first, last): (Vec<i32>, Vec<i32>) = ranges.iter().copied().unzip();
    sqlx::query_as!(
        Match,
        r#"WITH found AS MATERIALIZED (
               SELECT DISTINCT store_id FROM (
                   SELECT store_id FROM unnest($1::text[]) AS term (word)
                   CROSS JOIN unnest($2::integer[], $3::integer[]) AS ranges (first, last)
                   JOIN store_words ON store_words.word = term.word COLLATE "C" AND cell BETWEEN first AND last
                   LIMIT $4) AS rows)
           SELECT found.store_id AS "id!: StoreId", place <-> ll_to_earth($5, $6) AS "meters!"
           FROM found CROSS JOIN LATERAL (
               SELECT * FROM stores WHERE stores.store_id = found.store_id OFFSET 0) AS store
           WHERE search_text ~ ALL ($7::text[]) AND (curbside OR NOT $8)
           ORDER BY 2, 1"#,
        words,
        &first,
        &last,
        MAX_ROWS,
        from.latitude(),
        from.longitude(),
        patterns,
        curbside_only,
    )
    .fetch_all(conn)
    .await
}
