//! Stores that match what a person types.

use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, Page, StoreId};

use super::show::{Shown, show};
use crate::{
    Stores,
    db::search::{self, Likeness},
    domain::{geo::Position, term::Term},
};

/// So many stores with the very words of a term are no longer told apart by their text: the nearest of them come first.
/// A company's name is such a term.
const COMMON: i64 = 300;

/// The stores that match best, nearest first among equals. A term without letters finds nothing.
///
/// # Errors
/// The database's.
pub async fn search(
    cx: &Stores,
    term: &str,
    here: Option<Position>,
    curbside_only: bool,
    page: Page,
    consumer: Option<ConsumerId>,
) -> Result<Vec<Shown>, InternalError> {
    let Some(term) = Term::parse(term) else {
        return Ok(Vec::new());
    };
    let mut conn = cx.pool.acquire().await?;
    let ids = matching(
        &mut conn,
        &term,
        here.unwrap_or(cx.usual_position),
        curbside_only,
        page,
    )
    .await?;
    show(cx, &mut conn, &ids, consumer, here).await
}

/// The ids of the stores that match.
///
/// # Errors
/// The database's.
pub async fn matching(
    conn: &mut PgConnection,
    term: &Term,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    let mut tx = sqlx::Connection::begin(conn).await?;
    let words = search::fold(&mut tx, term).await?;
    search::liken(&mut tx, Likeness::Same, true).await?;
    let ids = if search::are_at_least(&mut tx, &words, curbside_only, COMMON).await? {
        search::liken(&mut tx, Likeness::Same, false).await?;
        search::nearest(&mut tx, &words, from, curbside_only, page).await?
    } else {
        search::liken(&mut tx, Likeness::Slip, true).await?;
        search::best(&mut tx, &words, from, curbside_only, page).await?
    };
    tx.commit().await?;
    Ok(ids)
}
