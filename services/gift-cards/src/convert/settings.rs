use kit::ServiceError;
use proto::giftcards::v1 as pb;
use types::{
    CredentialId, Money, StoreId,
    limits::{MAX_AUTO_RELOAD_CENTS, MAX_AUTO_RELOAD_THRESHOLD_CENTS, MIN_AUTO_RELOAD_CENTS},
};

use super::{malformed, money, optional_timestamp, parse_money};
use crate::{
    domain::{
        auto_reload::AutoReload,
        counter::{CounterPayment, CounterPin, RedeemCounterPin},
        wallet::AddFundsOptions,
    },
    ops::{
        reload_joepass::{DEFAULT_AMOUNT, DEFAULT_THRESHOLD},
        set_auto_reload::SetAutoReload,
    },
};

pub(crate) fn add_funds_options(options: AddFundsOptions) -> pb::AddFundsOptions {
    let cents = |cents| Some(money(Money::usd(cents)));
    pb::AddFundsOptions {
        presets: options.presets.into_iter().map(money).collect(),
        minimum: Some(money(options.minimum)),
        maximum: Some(money(options.maximum)),
        auto_reload: Some(options.auto_reload.map_or_else(never_set, auto_reload)),
        auto_reload_minimum: cents(MIN_AUTO_RELOAD_CENTS),
        auto_reload_maximum: cents(MAX_AUTO_RELOAD_CENTS),
        auto_reload_maximum_threshold: cents(MAX_AUTO_RELOAD_THRESHOLD_CENTS),
    }
}

/// The suggestion for a consumer who never set automatic reloads.
fn never_set() -> pb::AutoReload {
    pb::AutoReload {
        enabled: false,
        threshold: Some(money(DEFAULT_THRESHOLD)),
        amount: Some(money(DEFAULT_AMOUNT)),
        payment_method_id: String::new(),
        paused_until: String::new(),
        frozen_until: String::new(),
    }
}

pub(crate) fn auto_reload(rule: AutoReload) -> pb::AutoReload {
    pb::AutoReload {
        enabled: rule.is_enabled,
        threshold: Some(money(rule.threshold)),
        amount: Some(money(rule.amount)),
        payment_method_id: rule.payment_method_id,
        paused_until: optional_timestamp(rule.paused_until),
        frozen_until: optional_timestamp(rule.frozen_until),
    }
}

pub(crate) fn set_auto_reload_command(
    request: pb::SetAutoReloadRequest,
) -> Result<SetAutoReload, ServiceError> {
    let paused_until = match request.paused_until.as_str() {
        "" => None,
        text => Some(text.parse().map_err(|_| malformed("pausedUntil"))?),
    };
    Ok(SetAutoReload {
        is_enabled: request.enabled,
        threshold: parse_money(request.threshold)?,
        amount: parse_money(request.amount)?,
        payment_method_id: request.payment_method_id,
        paused_until,
    })
}

pub(crate) fn counter_pin(pin: CounterPin) -> pb::CounterPin {
    pb::CounterPin {
        pin: pin.pin,
        expires_at: pin.expires_at.to_string(),
        store_name: pin.store_name,
        available: Some(money(pin.available)),
    }
}

pub(crate) fn redeem_pin_command(
    store_id: StoreId,
    credential_id: CredentialId,
    request: pb::RedeemCounterPinRequest,
) -> Result<RedeemCounterPin, ServiceError> {
    Ok(RedeemCounterPin {
        store_id,
        credential_id,
        pin: request.pin,
        amount: parse_money(request.amount)?,
        idempotency_key: request.idempotency_key,
    })
}

pub(crate) fn counter_payment(payment: &CounterPayment) -> pb::CounterPayment {
    pb::CounterPayment {
        counter_payment_id: payment.id.to_string(),
        amount: Some(money(payment.amount)),
        paid_at: payment.paid_at.to_string(),
    }
}
