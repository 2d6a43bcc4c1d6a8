//! The nearest stores: all, a company's, or those that the consumer likes.

use kit::InternalError;
use types::{CompanyId, ConsumerId, Page};

use super::show::{Shown, show};
use crate::{Stores, db, domain::geo::Position};

/// Which stores are wanted.
#[derive(Debug, Clone, Copy)]
pub enum Which {
    /// All of them.
    All,
    /// A company's.
    OfCompany(CompanyId),
    /// Those that a consumer likes.
    LikedBy(ConsumerId),
}

/// The nearest stores first. Without a position, nearest to the usual one, and no distances.
///
/// # Errors
/// The database's.
pub async fn list(
    cx: &Stores,
    which: Which,
    here: Option<Position>,
    curbside_only: bool,
    page: Page,
    consumer: Option<ConsumerId>,
) -> Result<Vec<Shown>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let from = here.unwrap_or(cx.usual_position);
    let ids = match which {
        Which::All => db::near::nearest(&mut conn, from, curbside_only, page).await?,
        Which::OfCompany(company) => {
            db::near::nearest_of_company(&mut conn, company, from, curbside_only, page).await?
        }
        Which::LikedBy(consumer) => {
            db::near::favorites(&mut conn, consumer, from, curbside_only, page).await?
        }
    };
    show(cx, &mut conn, &ids, consumer, here).await
}
