//! Asks the provider what became of an order's charge.

use secrecy::SecretString;
use types::OrderId;

use super::observe::observe;
use crate::Payments;
use crate::db::charges;
use crate::domain::charge::Charge;
use crate::provider::{Authorization, Snapshot};

/// A charge, and what the page needs to carry on with the consumer where it waits for that.
#[derive(Debug)]
pub struct Standing {
    /// The charge.
    pub charge: Charge,
    /// For the page; never kept.
    pub client_secret: Option<SecretString>,
}

/// Why a charge cannot be refreshed.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The order has none.
    #[error("the order has no charge")]
    Unknown,
    /// Nobody's refusal.
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(RefreshError);

impl From<RefreshError> for kit::ServiceError {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::Unknown => Self::new(
                kit::ErrorCode::NotFound,
                "CHARGE_UNKNOWN",
                "This order has no charge.",
            ),
            RefreshError::Internal(fault) => fault.into(),
        }
    }
}

/// Fetches the provider's object of an order's charge and takes it in.
///
/// # Errors
/// [`RefreshError`].
pub async fn refresh(cx: &Payments, order: OrderId) -> Result<Standing, RefreshError> {
    let mut conn = cx.pool.acquire().await?;
    let charge = charges::of_order(&mut conn, order)
        .await?
        .ok_or(RefreshError::Unknown)?;
    drop(conn);
    Ok(of_charge(cx, charge).await?)
}

/// The same, for a charge at hand.
///
/// # Errors
/// The database's or the provider's.
pub(super) async fn of_charge(cx: &Payments, charge: Charge) -> Result<Standing, kit::InternalError> {
    let Some(snapshot) = look(cx, &charge).await? else {
        return Ok(Standing {
            charge,
            client_secret: None,
        });
    };
    let mut tx = cx.pool.begin().await?;
    let charge = observe(&mut tx, charge.id, &snapshot, cx.clock.now()).await?;
    tx.commit().await?;
    cx.effects_planned();
    Ok(Standing {
        charge,
        client_secret: snapshot.client_secret,
    })
}

async fn look(cx: &Payments, charge: &Charge) -> Result<Option<Snapshot>, kit::InternalError> {
    match (&charge.provider_id, &charge.terms) {
        (Some(id), _) => Ok(Some(cx.provider.fetch(id).await?)),
        (None, Some(terms)) => {
            let authorization = Authorization {
                charge: charge.id,
                order: charge.order,
                terms: terms.clone(),
            };
            Ok(cx.provider.find(&authorization).await?)
        }
        (None, None) => Ok(None),
    }
}
