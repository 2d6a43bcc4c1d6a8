use ordering::{
    domain::cart::{CartChoice, CartDraft, CartError, CartLine, Pickup},
    ops::{
        get_cart::get_cart,
        save_cart::{SaveCartError, save_cart},
    },
};
use types::ConsumerId;

use crate::harness::Harness;

fn cart(lines: usize) -> CartDraft {
    let line = |index: usize| CartLine {
        line_id: index.to_string(),
        item_id: "itm_1".into(),
        size_id: "siz_1".into(),
        quantity: 2,
        choices: vec![CartChoice {
            modification_id: "mod_1".into(),
            choice_id: "cho_1".into(),
            quantity: 3,
        }],
        note: "extra hot".into(),
    };
    CartDraft {
        store_id: "str_1".into(),
        lines: (0..lines).map(line).collect(),
        pickup: Pickup::Curbside,
        pickup_at: "2026-11-20T18:00:00Z".into(),
        promo_code: "FRESH10".into(),
        tip_minor_units: 100,
        cart_id: "c-1".into(),
    }
}

#[tokio::test]
async fn a_saved_cart_is_returned_unchanged_to_its_consumer_only() {
    let harness = Harness::new().await;
    let (cx, now) = (&harness.cx, harness.now());
    let (consumer, other) = (ConsumerId::new(now), ConsumerId::new(now));
    save_cart(cx, consumer, Some(cart(1))).await.unwrap();
    save_cart(cx, consumer, Some(cart(2))).await.unwrap();
    assert_eq!(get_cart(cx, consumer).await.unwrap(), Some((cart(2), now)));
    assert_eq!(get_cart(cx, other).await.unwrap(), None);
    for empty in [Some(cart(0)), None] {
        save_cart(cx, consumer, Some(cart(1))).await.unwrap();
        save_cart(cx, consumer, empty).await.unwrap();
        assert_eq!(get_cart(cx, consumer).await.unwrap(), None);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_with_too_many_lines_is_rejected() {
    let harness = Harness::new().await;
    let outcome = save_cart(&harness.cx, ConsumerId::new(harness.now()), Some(cart(51))).await;
    assert!(matches!(
        outcome,
        Err(SaveCartError::Cart(CartError::TooManyLines))
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_with_an_invalid_quantity_is_rejected() {
    let harness = Harness::new().await;
    let mut invalid = cart(1);
    invalid.lines[0].quantity = 0;
    let outcome = save_cart(&harness.cx, ConsumerId::new(harness.now()), Some(invalid)).await;
    assert!(matches!(
        outcome,
        Err(SaveCartError::Cart(CartError::InvalidField(
            "cart.lines.quantity"
        )))
    ));
    harness.database.drop().await;
}
