use ordering::ops::save_cart::{SaveError, get_cart, save_cart};
use proto::{
    ordering::v1::{Cart, PickupKind},
    stores::v1::{Line, CartChoice},
};
use types::ConsumerId;

use crate::harness::Harness;

fn cart(lines: usize) -> Cart {
    let line = |index: usize| Line {
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
    Cart {
        store_id: "str_1".into(),
        lines: (0..lines).map(line).collect(),
        pickup: PickupKind::Curbside.into(),
        pickup_at: "2026-11-20T18:00:00Z".into(),
        promo_code: "FRESH10".into(),
        tip_minor_units: 100,
        cart_id: "c-1".into(),
    }
}

#[tokio::test]
async fn a_cart_comes_back_as_it_was_saved_and_only_to_its_consumer() {
    let harness = Harness::new().await;
    let (own, other) = (ConsumerId::new(harness.now()), ConsumerId::new(harness.now()));
    save_cart(&harness.cx, own, cart(1)).await.unwrap();
    save_cart(&harness.cx, own, cart(2)).await.unwrap();
    assert_eq!(get_cart(&harness.cx, own).await.unwrap().cart, Some(cart(2)));
    assert_eq!(get_cart(&harness.cx, other).await.unwrap().cart, None);
    save_cart(&harness.cx, own, Cart::default()).await.unwrap();
    assert_eq!(get_cart(&harness.cx, own).await.unwrap().cart, None);
    harness.database.drop().await;
}

#[tokio::test]
async fn an_endless_cart_is_refused() {
    let harness = Harness::new().await;
    let refused = save_cart(&harness.cx, ConsumerId::new(harness.now()), cart(51)).await;
    assert!(matches!(refused, Err(SaveError::TooLarge)));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_that_could_not_be_given_back_is_refused() {
    let harness = Harness::new().await;
    let mut none_of_it = cart(1);
    none_of_it.lines[0].quantity = 0;
    let refused = save_cart(&harness.cx, ConsumerId::new(harness.now()), none_of_it).await;
    assert!(matches!(
        refused,
        Err(SaveError::Malformed("cart.lines.quantity"))
    ));
    harness.database.drop().await;
}
