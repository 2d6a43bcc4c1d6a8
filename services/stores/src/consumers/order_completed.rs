//! The order was picked up. Counts its items.

use std::collections::BTreeMap;

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::{ItemCount, OrderSnapshot};
use sqlx::PgConnection;

use crate::{
    domain::{item_sales::ItemSales, suggestions::utc_day},
    ops,
};

pub(super) async fn handle(
    order: &OrderSnapshot,
    items: &[ItemCount],
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    if items.is_empty() {
        return Ok(());
    }
    let completed_at: Timestamp = order
        .changed_at
        .parse()
        .map_err(|error| ConsumeError::Rejected(format!("changed_at: {error}")))?;
    let mut quantities = BTreeMap::new();
    for item in items.iter().filter(|item| item.quantity > 0) {
        *quantities.entry(item.item_id.parse()?).or_default() += i64::from(item.quantity);
    }
    let sales = ItemSales {
        store_id: order.store_id.parse()?,
        day: utc_day(completed_at),
        quantities,
    };
    ops::count_sales::count_sales(tx, &sales).await?;
    Ok(())
}
