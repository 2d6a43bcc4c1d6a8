use kit::{ErrorCode, ServiceError, idempotency};
use prost::Message;
use proto::ordering::v1 as pb;
use types::{ConsumerId, Money};

use super::{
    cart::cart_draft,
    order::{journey_step_from_proto, tender_from_proto},
};
use crate::{
    domain::{place_order::PlaceOrder, tender::StoredValuePart},
    errors::invalid_field,
};

/// Decodes a request to place an order.
///
/// # Errors
/// `MALFORMED` with the name of a field that is missing or malformed, `TENDER_UNSUPPORTED` if orders cannot be paid this
/// way.
pub(crate) fn place_order(
    consumer_id: ConsumerId,
    request: pb::PlaceOrderRequest,
) -> Result<PlaceOrder, ServiceError> {
    let request_hash = request_hash(&request);
    let cart = request.cart.ok_or_else(|| invalid_field("cart"))?;
    let tender = request.tender.ok_or_else(|| invalid_field("paymentMethod"))?;
    let Some(tender_kind) = tender_from_proto(tender.kind) else {
        return Err(ServiceError::new(
            ErrorCode::RuleViolation,
            "TENDER_UNSUPPORTED",
            "You can't pay for orders this way yet.",
        )
        .with_field("paymentMethod"));
    };
    let expected_total = request
        .expected_total
        .and_then(|total| Some(Money::new(total.minor_units, total.currency.parse().ok()?)))
        .ok_or_else(|| invalid_field("expectedTotal"))?;
    Ok(PlaceOrder {
        consumer_id,
        idempotency_key: request.idempotency_key,
        request_hash,
        cart: cart_draft(cart)?,
        tender: tender_kind,
        payment_method_id: tender.payment_method_id,
        wallet_payment_method_id: tender.wallet_payment_method_id,
        stored_value: request.stored_value.map(stored_value).transpose()?,
        expected_total,
        expected_ready_at: request
            .expected_ready_at
            .parse()
            .map_err(|_| invalid_field("expectedReadyAt"))?,
        vehicle: request.vehicle,
        pickup_name: request.pickup_name,
        journey_step: journey_step_from_proto(request.journey_step),
    })
}

fn stored_value(part: pb::StoredValuePart) -> Result<StoredValuePart, ServiceError> {
    let amount = part
        .amount
        .and_then(|amount| Some(Money::new(amount.minor_units, amount.currency.parse().ok()?)))
        .ok_or_else(|| invalid_field("storedValue.amount"))?;
    Ok(StoredValuePart {
        balance_id: part.balance_id,
        amount,
    })
}

/// Hashes the encoded request without its key and journey step, which may differ in a repeated request. Stored with the
/// key: must not change between releases.
fn request_hash(request: &pb::PlaceOrderRequest) -> Vec<u8> {
    let canonical = pb::PlaceOrderRequest {
        idempotency_key: String::new(),
        journey_step: 0,
        ..request.clone()
    };
    idempotency::hash(&canonical.encode_to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::values::v1 as values;

    fn request() -> pb::PlaceOrderRequest {
        pb::PlaceOrderRequest {
            cart: Some(pb::Cart {
                pickup: pb::PickupKind::Counter.into(),
                ..pb::Cart::default()
            }),
            tender: Some(pb::Tender {
                kind: pb::TenderKind::Card.into(),
                payment_method_id: "pay_1".into(),
                ..pb::Tender::default()
            }),
            idempotency_key: "a key of a test".into(),
            expected_total: Some(values::Money {
                minor_units: 516,
                currency: "usd".into(),
            }),
            expected_ready_at: "2026-11-20T16:00:00Z".into(),
            ..pb::PlaceOrderRequest::default()
        }
    }

    fn decode(change: impl FnOnce(&mut pb::PlaceOrderRequest)) -> Result<PlaceOrder, ServiceError> {
        let mut request = request();
        change(&mut request);
        place_order("usr_01h455vb4pex5vsknk084sn02q".parse().unwrap(), request)
    }

    fn field(outcome: Result<PlaceOrder, ServiceError>) -> Option<String> {
        outcome.unwrap_err().field.map(std::borrow::Cow::into_owned)
    }

    #[test]
    fn missing_and_malformed_fields_are_named() {
        assert_eq!(decode(|_| {}).unwrap().expected_total, Money::usd(516));
        assert_eq!(field(decode(|it| it.cart = None)).as_deref(), Some("cart"));
        assert_eq!(
            field(decode(|it| it.tender = None)).as_deref(),
            Some("paymentMethod")
        );
        assert_eq!(
            field(decode(|it| it.expected_total = None)).as_deref(),
            Some("expectedTotal")
        );
        let yen = values::Money {
            minor_units: 516,
            currency: "jpy".into(),
        };
        assert_eq!(
            field(decode(|it| it.expected_total = Some(yen))).as_deref(),
            Some("expectedTotal")
        );
        for text in ["", "soon"] {
            let outcome = decode(|it| it.expected_ready_at = text.into());
            assert_eq!(field(outcome).as_deref(), Some("expectedReadyAt"));
        }
        let unknown_pickup = decode(|it| it.cart.as_mut().unwrap().pickup = 9);
        assert_eq!(field(unknown_pickup).as_deref(), Some("cart.pickup"));
    }

    #[test]
    fn unknown_and_unsupported_tenders_are_rejected() {
        for kind in [0, pb::TenderKind::GiftCard.into(), 99] {
            let error = decode(|it| it.tender.as_mut().unwrap().kind = kind).unwrap_err();
            assert_eq!(error.reason, "TENDER_UNSUPPORTED", "{kind}");
        }
    }

    #[test]
    fn the_hash_of_a_request_does_not_change() {
        let hash = decode(|_| {}).unwrap().request_hash;
        let expected = [
            0xa149_c031_8378_bf4c_1c29_a365_97a1_f84a_u128,
            0xa3c6_ebd0_0b7a_49c2_82db_48e4_2b54_bd29_u128,
        ];
        assert_eq!(hash, expected.map(u128::to_be_bytes).concat());
    }

    #[test]
    fn the_hash_covers_the_request_but_not_its_key_and_journey_step() {
        let hash = |change: fn(&mut pb::PlaceOrderRequest)| decode(change).unwrap().request_hash;
        assert_eq!(
            hash(|_| {}),
            hash(|request| request.idempotency_key = "another key".into())
        );
        assert_eq!(
            hash(|_| {}),
            hash(|request| request.set_journey_step(values::JourneyStep::App))
        );
        assert_ne!(hash(|_| {}), hash(|request| request.vehicle = "red Vespa".into()));
    }
}
