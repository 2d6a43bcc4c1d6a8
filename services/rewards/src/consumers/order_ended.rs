//! The order will not be made: abandoned, cancelled or rejected. Its claim is given back, and who did not end it
//! themselves is told what they have back.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, require_field};
use proto::ordering::v1::{OrderAbandoned, OrderCancelled, OrderSnapshot, OrderRejected, TenderKind};
use sqlx::PgConnection;
use types::OrderId;

use super::{happened, money};
use crate::{
    domain::{
        Notice,
        notice::{Ended, PaidWith},
    },
    ops::{
        close_claim::{close, release},
        tell::tell,
    },
};

/// Ordering's reason for an order that the consumer called off.
const BY_CONSUMER: &str = "CONSUMER_CANCELLED";

/// Its reasons for orders whose hold was let go of, or whose payment the bank took back.
const NOT_CHARGED: [&str; 3] = ["NOT_ACCEPTED", "PAYMENT_HOLD_EXPIRED", "PAYMENT_RETURNED"];

pub(super) async fn abandoned(
    conn: &mut PgConnection,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderAbandoned>()?.order, "order")?;
    // The consumer sees why at the checkout. A claim may still be on its way.
    close(conn, fact.order_id.parse()?, now).await?;
    Ok(())
}

pub(super) async fn cancelled(
    conn: &mut PgConnection,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderCancelled>()?.order, "order")?;
    let order: OrderId = fact.order_id.parse()?;
    let code = release(conn, order, now).await?;
    if fact.reason == BY_CONSUMER {
        return Ok(());
    }
    let notice = Notice::order_cancelled(ended(&fact, code.as_deref())?);
    say(conn, &fact, order, "cancelled", &notice, now).await
}

pub(super) async fn rejected(
    conn: &mut PgConnection,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderRejected>()?.order, "order")?;
    let order: OrderId = fact.order_id.parse()?;
    let code = release(conn, order, now).await?;
    let notice = Notice::order_rejected(ended(&fact, code.as_deref())?);
    say(conn, &fact, order, "rejected", &notice, now).await
}

fn ended<'a>(fact: &'a OrderSnapshot, code: Option<&'a str>) -> Result<Ended<'a>, ConsumeError> {
    let paid_with = match fact.tender() {
        TenderKind::Joepass => PaidWith::JoePass,
        TenderKind::GiftCard => PaidWith::GiftCard,
        TenderKind::Bank => PaidWith::Bank,
        TenderKind::Card | TenderKind::ApplePay | TenderKind::GooglePay | TenderKind::Unspecified => {
            PaidWith::Card
        }
    };
    let total = money(fact.total_minor_units, &fact.currency)?;
    Ok(Ended {
        store: &fact.store_name,
        why: &fact.message,
        charged: !NOT_CHARGED.contains(&&*fact.reason),
        total,
        paid_with,
        code,
    })
}

async fn say(
    conn: &mut PgConnection,
    fact: &OrderSnapshot,
    order: OrderId,
    what: &str,
    notice: &Notice,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let (reference, at) = (format!("order:{order}:{what}"), happened(&fact.at, now));
    tell(
        conn,
        fact.consumer_id.parse()?,
        &reference,
        notice,
        Some(order),
        at,
        now,
    )
    .await
    .map_err(ConsumeError::from)
}
