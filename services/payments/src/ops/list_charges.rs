use kit::InternalError;

use crate::Payments;
use crate::db::{charge_pages, charge_times};
use crate::domain::charge::{ListCharges, ListedCharge};

/// Lists a page of charges. A charge that changes during the call has the time of that change.
pub async fn list_charges(cx: &Payments, request: &ListCharges) -> Result<Vec<ListedCharge>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let charges = charge_pages::list(&mut conn, request).await?;
    let ids: Vec<_> = charges.iter().map(|charge| charge.id).collect();
    let times = charge_times::list(&mut conn, &ids).await?;
    charges
        .into_iter()
        .map(|charge| {
            let changed_at = times.get(&charge.id).copied();
            Ok(ListedCharge {
                changed_at: changed_at
                    .ok_or_else(|| InternalError::invariant_violated("a charge was deleted"))?,
                charge,
            })
        })
        .collect()
}
