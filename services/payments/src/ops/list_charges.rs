use crate::Payments;
use crate::db::charges;
use crate::domain::charge::{Charge, ListCharges};

/// Lists a page of charges.
pub async fn list_charges(cx: &Payments, request: &ListCharges) -> Result<Vec<Charge>, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(charges::list(&mut conn, request).await?)
}
