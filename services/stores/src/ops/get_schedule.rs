//! Returns the schedule of a store.

use types::StoreId;

use super::schedule_change::{ScheduleError, load_schedule};
use crate::{Stores, domain::schedule::Schedule};

pub(crate) async fn get_schedule(cx: &Stores, store_id: StoreId) -> Result<Schedule, ScheduleError> {
    let mut conn = cx.pool.acquire().await?;
    load_schedule(cx, &mut conn, store_id).await
}
