//! Completes, fails or takes back a purchase, after `PaymentSettled`, `PaymentDeclined` or `PaymentReturned`.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::payments::v1::{ChargePurpose, ChargeSnapshot};
use sqlx::PgConnection;

use crate::{
    GiftCards,
    domain::purchase::{ChargeOutcome, Failure},
    ops::purchase::apply_charge_event::apply_charge_event,
};

pub(super) async fn handle(
    cx: &GiftCards,
    charge: ChargeSnapshot,
    outcome: (ChargeOutcome, Option<Failure>),
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let subject = require_field(charge.subject, "subject")?;
    match subject.purpose() {
        ChargePurpose::TopUp | ChargePurpose::GiftCard | ChargePurpose::CompanyCard => {
            apply_charge_event(cx, tx, subject.id.parse()?, outcome, now).await?;
        }
        ChargePurpose::Order | ChargePurpose::Debt | ChargePurpose::Unspecified => {}
    }
    Ok(())
}
