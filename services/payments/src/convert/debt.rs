//! Debts and their recovery.

use kit::{ServiceError, parse_id};
use proto::payments::v1 as pb;
use secrecy::ExposeSecret;
use types::{ConsumerId, Currency, Money};

use super::charge::{money, payment_source};
use crate::domain::debt::{
    FailedPayments, ListedDebt, RecoverFailedPayments, RecoveredPayments, RecoveryResult,
};

pub fn recover_failed_payments(
    consumer_id: ConsumerId,
    request: &pb::RecoverFailedPaymentsRequest,
) -> Result<RecoverFailedPayments, ServiceError> {
    Ok(RecoverFailedPayments {
        consumer_id,
        debt_ids: request
            .debt_ids
            .iter()
            .map(|id| parse_id(id, "paymentIntentIds"))
            .collect::<Result<_, _>>()?,
        source: payment_source(request.source.as_ref())?,
    })
}

pub fn failed_payments(payments: &FailedPayments) -> pb::ListFailedPaymentsResponse {
    pb::ListFailedPaymentsResponse {
        payments: payments.open.iter().map(failed_payment).collect(),
        total_owed: Some(total_owed(&payments.open)),
        recovered_order_ids: payments
            .recovered_orders
            .iter()
            .map(ToString::to_string)
            .collect(),
    }
}

fn failed_payment(listed: &ListedDebt) -> pb::FailedPayment {
    let ListedDebt {
        debt,
        description,
        subject,
    } = listed;
    pb::FailedPayment {
        debt_id: debt.id.to_string(),
        created: debt.created_at.to_string(),
        name: description.name.clone(),
        total: Some(money(debt.amount)),
        penalty_fee: Some(money(debt.penalty_fee)),
        items: description
            .items
            .iter()
            .map(|item| pb::ChargeItem {
                name: item.name.clone(),
                quantity: item.quantity,
            })
            .collect(),
        order_id: subject.order_id().map(|id| id.to_string()).unwrap_or_default(),
    }
}

fn total_owed(debts: &[ListedDebt]) -> proto::values::v1::Money {
    let cents = debts.iter().map(|listed| listed.debt.total().minor_units()).sum();
    money(Money::new(cents, Currency::Usd))
}

pub fn recovered_payments(recovered: &RecoveredPayments) -> pb::RecoverFailedPaymentsResponse {
    let results = recovered.results.iter().map(|(debt_id, result)| {
        let (is_recovered, reason, message) = match result {
            RecoveryResult::Recovered => (true, "", ""),
            RecoveryResult::NotRecovered { reason, message } => (false, *reason, message.as_str()),
        };
        pb::RecoveryResult {
            debt_id: debt_id.to_string(),
            recovered: is_recovered,
            reason: reason.to_owned(),
            message: message.to_owned(),
        }
    });
    pb::RecoverFailedPaymentsResponse {
        results: results.collect(),
        client_secret: recovered
            .client_secret
            .as_ref()
            .map(|secret| secret.expose_secret().to_owned())
            .unwrap_or_default(),
        total_owed: Some(total_owed(&recovered.open)),
    }
}
