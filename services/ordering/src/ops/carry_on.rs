//! Carries on an order whose consumer was asked to authenticate the payment.

use std::time::Duration;

use kit::{Code, Fault, Refusal, grpc::retry};
use proto::{ordering::v1 as pb, payments::v1::RefreshChargeRequest};
use types::OrderId;

use crate::{
    Ordering,
    db::orders,
    ops::{
        close, confirm,
        gather::{self, GatherError, Gathered},
        place::{self, PlaceError},
    },
};

const BUDGET: Duration = Duration::from_secs(4);

/// Asks what became of the payment and goes on from there: places the order, abandons it, or goes on waiting.
///
/// # Errors
/// [`PlaceError`]: declined, or too late for the promise; nothing is held then.
pub async fn carry_on(cx: &Ordering, order: OrderId) -> Result<pb::Order, PlaceError> {
    let mut conn = cx.pool.acquire().await?;
    let lease_until = cx.clock.now() + cx.rules.saga();
    let Some(epoch) = orders::claim_awaiting(&mut conn, order, lease_until).await? else {
        return Err(PlaceError::Refused(Refusal::unavailable()));
    };
    let row = orders::find(&mut conn, order)
        .await?
        .filter(|row| row.epoch == epoch);
    drop(conn);
    let Some(row) = row else {
        return Err(PlaceError::Refused(Refusal::unavailable()));
    };
    let client_secret = row.client_secret.clone();
    let refreshed = retry(BUDGET, || {
        let mut payments = cx.clients.payments();
        async move {
            payments
                .refresh_charge(RefreshChargeRequest {
                    order_id: order.to_string(),
                })
                .await
        }
    })
    .await;
    let charge = match refreshed {
        Ok(charge) => charge,
        Err(status) => {
            // Not known yet: the order goes on waiting, and the same key asks again.
            place::await_action(cx, &row, &client_secret).await?;
            return Err(Fault::from(status).into());
        }
    };
    match gather::judge(charge, row.clone()) {
        Ok(Gathered::Everything(row)) if confirm::promise_holds(&row, cx.clock.now()) => {
            confirm::confirm(cx, &row).await
        }
        Ok(Gathered::Everything(row)) => {
            close::close(cx, order).await?;
            let late = Refusal::new(
                Code::Conflict,
                "PROMISE_MOVED",
                "Confirming the payment took longer than the store could hold your time. Nothing was charged.",
            );
            confirm::give_up(cx, &row, GatherError::Refused(late)).await
        }
        Ok(Gathered::AwaitsAction { row, .. }) => place::await_action(cx, &row, &client_secret).await,
        Err(GatherError::Unknown(_)) => place::await_action(cx, &row, &client_secret).await,
        Err(error) => confirm::give_up(cx, &row, error).await,
    }
}
