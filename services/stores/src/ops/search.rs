//! Stores that match what a person types.

use kit::Fault;
use types::{ConsumerId, Page};

use super::show::{Shown, show};
use crate::{
    Stores, db,
    domain::{geo::Position, term::Term},
};

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
) -> Result<Vec<Shown>, Fault> {
    let Some(term) = Term::parse(term) else {
        return Ok(Vec::new());
    };
    let mut tx = cx.pool.begin().await?;
    let ids = db::near::matching(
        &mut tx,
        &term,
        here.unwrap_or(cx.usual_position),
        curbside_only,
        page,
    )
    .await?;
    let shown = show(cx, &mut tx, &ids, consumer, here).await?;
    tx.commit().await?;
    Ok(shown)
}
