//! Lists stores, nearest first.

use super::{get_company::GetCompanyError, store_views::load_store_views};
use crate::{
    Stores, db,
    domain::{
        store_query::{StoreFilter, StoreQuery},
        store_view::StoreView,
    },
};

/// # Errors
/// [`GetCompanyError::CompanyUnknown`] if the company of the filter does not exist.
pub(crate) async fn list_stores(
    cx: &Stores,
    filter: StoreFilter,
    query: StoreQuery,
) -> Result<Vec<StoreView>, GetCompanyError> {
    let StoreQuery {
        position,
        curbside_only,
        page,
        consumer_id,
        ..
    } = query;
    let mut conn = cx.pool.acquire().await?;
    let from = query.order_position(cx.default_position);
    let store_ids = match filter {
        StoreFilter::All => db::nearest::stores(&mut conn, from, curbside_only, page).await?,
        StoreFilter::Company(company_id) => {
            let store_ids =
                db::nearest::stores_of_company(&mut conn, company_id, from, curbside_only, page).await?;
            if store_ids.is_empty() && db::companies::find(&mut conn, company_id).await?.is_none() {
                return Err(GetCompanyError::CompanyUnknown);
            }
            store_ids
        }
        StoreFilter::FavoritesOf(consumer_id) => {
            db::nearest::favorites(&mut conn, consumer_id, from, curbside_only, page).await?
        }
    };
    Ok(load_store_views(cx, &mut conn, &store_ids, consumer_id, position).await?)
}
