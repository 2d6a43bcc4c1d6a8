//! Events about the charges of purchases.

use proto::{
    giftcards::v1::Purchase,
    payments::v1::{
        ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, MethodChanged, PaymentDeclined,
        PaymentMethodEvent, PaymentReturned, PaymentSettled, RefundFailed, charge_event::Change,
        payment_method_event,
    },
};
use types::{ConsumerId, OrderId};

fn event(purpose: ChargePurpose, id: &str, change: Change) -> ChargeEvent {
    let mut subject = ChargeSubject {
        id: id.to_owned(),
        ..ChargeSubject::default()
    };
    subject.set_purpose(purpose);
    ChargeEvent {
        charge: Some(ChargeSnapshot {
            charge_id: "chg_1".to_owned(),
            currency: "usd".to_owned(),
            subject: Some(subject),
            ..ChargeSnapshot::default()
        }),
        change: Some(change),
    }
}

pub fn settled(purchase: &Purchase) -> ChargeEvent {
    event(
        ChargePurpose::TopUp,
        &purchase.purchase_id,
        Change::Settled(PaymentSettled {}),
    )
}

pub fn declined(purchase: &Purchase) -> ChargeEvent {
    event(
        ChargePurpose::TopUp,
        &purchase.purchase_id,
        Change::Declined(PaymentDeclined {
            reason: "INSUFFICIENT_FUNDS".to_owned(),
            message: "Your card has insufficient funds. Try another payment method.".to_owned(),
        }),
    )
}

pub fn returned(purchase: &Purchase) -> ChargeEvent {
    event(
        ChargePurpose::TopUp,
        &purchase.purchase_id,
        Change::Returned(PaymentReturned::default()),
    )
}

pub fn refund_failed(order_id: OrderId, consumer_id: Option<ConsumerId>, cents: i64) -> ChargeEvent {
    let failed = RefundFailed {
        refund_id: "release".to_owned(),
        amount_minor_units: cents,
    };
    let event = event(
        ChargePurpose::Order,
        &order_id.to_string(),
        Change::RefundFailed(failed),
    );
    let consumer_id = consumer_id.map(|id| id.to_string()).unwrap_or_default();
    ChargeEvent {
        charge: event.charge.map(|charge| ChargeSnapshot {
            consumer_id,
            ..charge
        }),
        ..event
    }
}

pub fn method_changed(consumer_id: ConsumerId) -> PaymentMethodEvent {
    method_event(consumer_id, "pay_1", MethodChanged { is_removed: false })
}

pub fn method_removed(consumer_id: ConsumerId, payment_method_id: &str) -> PaymentMethodEvent {
    method_event(consumer_id, payment_method_id, MethodChanged { is_removed: true })
}

fn method_event(consumer_id: ConsumerId, id: &str, change: MethodChanged) -> PaymentMethodEvent {
    PaymentMethodEvent {
        consumer_id: consumer_id.to_string(),
        payment_method_id: id.to_owned(),
        change: Some(payment_method_event::Change::MethodChanged(change)),
    }
}
