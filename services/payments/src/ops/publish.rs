//! Facts on their way out, written in the transaction that makes them true.

use jiff::Timestamp;
use kit::outbox;
use proto::payments::v1::{
    ChargeSnapshot, MethodChanged, PaymentAuthorized, PaymentDeclined, PaymentReturned, PaymentSettled,
    RefundDone,
};
use sqlx::PgConnection;
use types::{ConsumerId, PaymentMethodId};

use crate::domain::charge::{Charge, Fact};

/// Tells what became of a charge.
///
/// # Errors
/// The database's.
pub async fn charge(
    conn: &mut PgConnection,
    charge: &Charge,
    fact: Fact,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    // A tombstone has no money to tell of.
    let Some(terms) = &charge.terms else { return Ok(()) };
    let said = Some(ChargeSnapshot {
        charge_id: charge.id.to_string(),
        order_id: charge.order.to_string(),
        consumer_id: terms.consumer.map(|id| id.to_string()).unwrap_or_default(),
        amount_minor_units: terms.amount.minor_units(),
        currency: terms.amount.currency().code().to_owned(),
        at: at.to_string(),
    });
    let (id, version) = (charge.id.to_string(), charge.version);
    match fact {
        Fact::Authorized => {
            outbox::append(conn, &id, version, at, &PaymentAuthorized { charge: said }).await?
        }
        Fact::Declined => outbox::append(conn, &id, version, at, &PaymentDeclined { charge: said }).await?,
        Fact::Settled => outbox::append(conn, &id, version, at, &PaymentSettled { charge: said }).await?,
        Fact::Returned => outbox::append(conn, &id, version, at, &PaymentReturned { charge: said }).await?,
        Fact::Refunded => outbox::append(conn, &id, version, at, &RefundDone { charge: said }).await?,
    };
    Ok(())
}

/// Tells that a method came, went or changed.
///
/// # Errors
/// The database's.
pub async fn method_changed(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    (id, version): (PaymentMethodId, i64),
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let changed = MethodChanged {
        consumer_id: consumer.to_string(),
        payment_method_id: id.to_string(),
    };
    outbox::append(conn, &id.to_string(), version, at, &changed).await?;
    Ok(())
}
