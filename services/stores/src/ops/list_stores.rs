//! Lists stores, nearest first.

use kit::InternalError;

use super::store_views::load_store_views;
use crate::{
    Stores, db,
    domain::{
        store_query::{StoreFilter, StoreQuery},
        store_view::StoreView,
    },
};

pub(crate) async fn list_stores(
    cx: &Stores,
    filter: StoreFilter,
    query: StoreQuery,
) -> Result<Vec<StoreView>, InternalError> {
    let StoreQuery {
        position,
        curbside_only,
        page,
        consumer_id,
    } = query;
    let mut conn = cx.pool.acquire().await?;
    let from = position.unwrap_or(cx.default_position);
    let store_ids = match filter {
        StoreFilter::All => db::nearest::stores(&mut conn, from, curbside_only, page).await?,
        StoreFilter::Company(company_id) => {
            db::nearest::stores_of_company(&mut conn, company_id, from, curbside_only, page).await?
        }
        StoreFilter::FavoritesOf(consumer_id) => {
            db::nearest::favorites(&mut conn, consumer_id, from, curbside_only, page).await?
        }
    };
    load_store_views(cx, &mut conn, &store_ids, consumer_id, position).await
}
