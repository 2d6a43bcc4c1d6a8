//! Counts the items of completed orders.

use sqlx::PgConnection;

use crate::{db, domain::item_sales::ItemSales};

pub(crate) async fn count_sales(tx: &mut PgConnection, sales: &ItemSales) -> Result<(), sqlx::Error> {
    db::item_sales::add(tx, sales).await
}
