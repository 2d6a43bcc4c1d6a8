//! Carries on an order whose consumer was asked to authenticate the payment.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError, grpc::retry};
use proto::{ordering::v1 as pb, payments::v1::RefreshChargeRequest};
use types::OrderId;

use crate::{
    Ordering,
    db::{
        leases::{self, Taken},
        orders::{self, Row},
    },
    domain::order::Status,
    ops::{
        close, confirm,
        gather::{self, GatherError, Gathered},
        place::{self, PlaceError},
    },
};

const BUDGET: Duration = Duration::from_secs(4);
/// How often an order that the provider told of is looked at.
const AGAIN: Duration = Duration::from_millis(250);

/// Asks what became of the payment and goes on from there: places the order, abandons it, or goes on waiting. None:
/// nobody is awaited, or somebody else is at it.
///
/// # Errors
/// [`PlaceError`]: declined, or too late for the promise; nothing is held then.
pub async fn carry_on(cx: &Ordering, order: OrderId) -> Result<Option<pb::Order>, PlaceError> {
    let mut conn = cx.pool.acquire().await?;
    let awaits = orders::find(&mut conn, order)
        .await?
        .is_some_and(|row| !row.client_secret.is_empty());
    drop(conn);
    if !awaits {
        return Ok(None);
    }
    place::to_the_end(cx, move |own| async move { take_on(&own, order).await }).await
}

/// The same where the provider has news and nobody may ever ask again: tries until nobody is awaited any more, for as
/// long as a lease lasts. Somebody who looked just before the news would otherwise leave the order to expire.
pub async fn on_news(cx: &Ordering, order: OrderId) {
    let end = tokio::time::Instant::now() + cx.rules.saga();
    loop {
        match carry_on(cx, order).await {
            Ok(Some(_)) => return,
            Ok(None) => {}
            Err(error) => tracing::info!(order_id = %order, %error, "order not carried on"),
        }
        match is_pending(cx, order).await {
            Ok(true) if tokio::time::Instant::now() < end && cx.process.sleep(AGAIN).await => {}
            Ok(_) => return,
            Err(error) => {
                tracing::warn!(order_id = %order, %error, "order not carried on");
                return;
            }
        }
    }
}

async fn is_pending(cx: &Ordering, order: OrderId) -> Result<bool, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let row = orders::find(&mut conn, order).await?;
    Ok(row.is_some_and(|row| row.status == Status::PaymentPending.as_str()))
}

async fn take_on(cx: &Ordering, order: OrderId) -> Result<Option<pb::Order>, PlaceError> {
    let mut conn = cx.pool.acquire().await?;
    let lease_until = cx.clock.now() + cx.rules.saga();
    let Some(taken) = leases::claim_awaiting(&mut conn, order, lease_until).await? else {
        return Ok(None);
    };
    let row = orders::find(&mut conn, order)
        .await?
        .filter(|row| row.epoch == taken.epoch);
    drop(conn);
    match row {
        Some(row) => Ok(Some(go_on(cx, row, &taken).await?)),
        None => Ok(None),
    }
}

async fn go_on(cx: &Ordering, row: Row, taken: &Taken) -> Result<pb::Order, PlaceError> {
    let refreshed = retry(BUDGET, || {
        let mut payments = cx.clients.payments();
        async move {
            payments
                .refresh_charge(RefreshChargeRequest {
                    order_id: taken.order.to_string(),
                })
                .await
        }
    })
    .await;
    let charge = match refreshed {
        Ok(charge) => charge,
        Err(status) => {
            // Not known yet: the order goes on waiting, and the same key asks again.
            place::await_action(cx, &row, &taken.client_secret).await?;
            return Err(InternalError::from(status).into());
        }
    };
    match gather::judge(charge, row.clone()) {
        Ok(Gathered::Everything(row)) if confirm::promise_holds(&row, cx.clock.now()) => {
            confirm::confirm(cx, &row).await
        }
        Ok(Gathered::Everything(row)) => {
            close::close(cx, taken.order).await?;
            let late = ServiceError::new(
                ErrorCode::Conflict,
                "ETA_CHANGED",
                "Confirming the payment took longer than the store could hold your time. Nothing was charged.",
            );
            confirm::give_up(cx, &row, GatherError::Refused(late)).await
        }
        Ok(Gathered::AwaitsAction { .. }) | Err(GatherError::Unknown(_)) => {
            place::await_action(cx, &row, &taken.client_secret).await
        }
        Err(error) => confirm::give_up(cx, &row, error).await,
    }
}
