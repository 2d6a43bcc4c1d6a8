//! Stores by what they are called and where they stand, through the index of trigrams.
//!
//! A word is alike where `word_similarity` reaches the threshold that [`liken`] sets for the transaction. Holding text
//! against words costs microseconds a row, so that nothing here may touch more rows than it must.

use sqlx::PgConnection;
use types::{Page, StoreId};

use crate::domain::{geo::Position, term::Term};

/// How much a word has to have in common with a part of a store's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// It is that word, or its beginning.
    Same,
    /// It may be that word with a slip of the finger.
    Slip,
}

/// The words of a term as stores' texts are written: no accents.
#[derive(Debug, Default)]
pub struct Words {
    first: Option<String>,
    second: Option<String>,
    third: Option<String>,
    fourth: Option<String>,
    count: i32,
}

/// Folds a term's words.
///
/// # Errors
/// The database's.
pub async fn fold(conn: &mut PgConnection, term: &Term) -> Result<Words, sqlx::Error> {
    let words = sqlx::query_scalar!(
        r#"SELECT unaccent(word) AS "word!" FROM unnest($1::text[]) AS word"#,
        term.words()
    )
    .fetch_all(conn)
    .await?;
    let count = i32::try_from(words.len()).unwrap_or(1);
    let mut words = words.into_iter();
    Ok(Words {
        first: words.next(),
        second: words.next(),
        third: words.next(),
        fourth: words.next(),
        count,
    })
}

/// Says, for the rest of the transaction, what counts as alike; `by_text` whether rows are found through the index of
/// texts, or else through that of places. The planner would read the whole table for a common word, because it does not
/// know what comparing texts costs.
///
/// # Errors
/// The database's.
pub async fn liken(tx: &mut PgConnection, likeness: Likeness, by_text: bool) -> Result<(), sqlx::Error> {
    let least = match likeness {
        Likeness::Same => "0.8",
        Likeness::Slip => "0.45",
    };
    sqlx::query!(
        "SELECT set_config('pg_trgm.word_similarity_threshold', $1, true) AS threshold,
                set_config('enable_seqscan', 'off', true) AS seqscan,
                set_config('enable_bitmapscan', $2, true) AS bitmapscan",
        least,
        if by_text { "on" } else { "off" },
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

/// Whether at least so many stores are alike.
///
/// # Errors
/// The database's.
pub async fn are_at_least(
    tx: &mut PgConnection,
    words: &Words,
    curbside_only: bool,
    many: i64,
) -> Result<bool, sqlx::Error> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM stores
               WHERE $1 <% search_text AND ($2::text IS NULL OR $2 <% search_text)
                 AND ($3::text IS NULL OR $3 <% search_text) AND ($4::text IS NULL OR $4 <% search_text)
                 AND (curbside OR NOT $5)
               LIMIT $6) AS alike"#,
        words.first,
        words.second,
        words.third,
        words.fourth,
        curbside_only,
        many,
    )
    .fetch_one(tx)
    .await?;
    Ok(count == many)
}

/// The nearest stores that are alike.
///
/// # Errors
/// The database's.
pub async fn nearest(
    tx: &mut PgConnection,
    words: &Words,
    here: Position,
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
        here.latitude(),
        here.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(tx)
    .await
}

/// The stores that are alike, most alike first, nearest first among equals. They count as equal within a tenth: a letter
/// more or less outweighs no distance.
///
/// # Errors
/// The database's.
pub async fn best(
    tx: &mut PgConnection,
    words: &Words,
    here: Position,
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
        here.latitude(),
        here.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
        words.count,
    )
    .fetch_all(tx)
    .await
}
