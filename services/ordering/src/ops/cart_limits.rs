//! How much a cart may carry of what the client makes up. What the menu says of its lines is asked of stores.

use proto::{ordering::v1 as pb, stores::v1::CartChoice};

const LONGEST_ID: usize = 64;
const LONGEST_CODE: usize = 40;
const MOST_CHOICES: usize = 100;
const LONGEST_NOTE: usize = 200;
const MOST_OF_A_LINE: u32 = 20;

/// That ids of the client's own, and a code typed in, are no longer than we keep and index.
///
/// # Errors
/// The field that is.
pub fn ids(cart: &pb::Cart) -> Result<(), &'static str> {
    if cart.cart_id.chars().count() > LONGEST_ID {
        return Err("cart.cartId");
    }
    if cart
        .lines
        .iter()
        .any(|line| line.line_id.chars().count() > LONGEST_ID)
    {
        return Err("cart.lines.lineId");
    }
    if cart.promo_code.chars().count() > LONGEST_CODE {
        return Err("cart.promoCode");
    }
    Ok(())
}

/// That a cart is one that could be given back: nothing in it is priced before it is kept.
///
/// # Errors
/// The field that is out of its limits.
pub fn kept(cart: &pb::Cart) -> Result<(), &'static str> {
    ids(cart)?;
    // Ours are shorter; others are looked for on no menu yet.
    let is_id = |text: &str| text.len() <= LONGEST_ID;
    if !is_id(&cart.store_id) {
        return Err("cart.storeId");
    }
    if !is_id(&cart.pickup_at) {
        return Err("cart.pickupAt");
    }
    for line in &cart.lines {
        if !is_id(&line.item_id) {
            return Err("cart.lines.itemId");
        }
        if !is_id(&line.size_id) {
            return Err("cart.lines.sizeId");
        }
        let are_ids = |choice: &CartChoice| is_id(&choice.modification_id) && is_id(&choice.choice_id);
        if line.choices.len() > MOST_CHOICES || !line.choices.iter().all(are_ids) {
            return Err("cart.lines.choices");
        }
        if !(1..=MOST_OF_A_LINE).contains(&line.quantity) {
            return Err("cart.lines.quantity");
        }
        if line.note.chars().count() > LONGEST_NOTE {
            return Err("cart.lines.note");
        }
    }
    if cart.tip_minor_units < 0 {
        return Err("cart.tipAmount");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::stores::v1::CartLine;

    fn cart(change: impl FnOnce(&mut pb::Cart, &mut CartLine)) -> pb::Cart {
        let mut line = CartLine {
            line_id: "1".into(),
            quantity: 1,
            ..Default::default()
        };
        let mut cart = pb::Cart {
            cart_id: "c-1".into(),
            ..Default::default()
        };
        change(&mut cart, &mut line);
        cart.lines.push(line);
        cart
    }

    #[test]
    fn what_is_written_down_for_the_client_is_kept_short() {
        assert_eq!(ids(&cart(|cart, _| cart.cart_id = "é".repeat(64))), Ok(()));
        assert_eq!(
            ids(&cart(|cart, _| cart.cart_id = "c".repeat(65))),
            Err("cart.cartId")
        );
        assert_eq!(
            ids(&cart(|_, line| line.line_id = "l".repeat(65))),
            Err("cart.lines.lineId")
        );
    }

    #[test]
    fn a_cart_is_kept_only_as_it_may_be_given_back() {
        assert_eq!(kept(&cart(|_, line| line.note = "é".repeat(200))), Ok(()));
        assert_eq!(
            kept(&cart(|_, line| line.note = "é".repeat(201))),
            Err("cart.lines.note")
        );
        assert_eq!(
            kept(&cart(|_, line| line.quantity = 0)),
            Err("cart.lines.quantity")
        );
        assert_eq!(
            kept(&cart(|_, line| line.quantity = 21)),
            Err("cart.lines.quantity")
        );
        assert_eq!(
            kept(&cart(|cart, _| cart.tip_minor_units = -1)),
            Err("cart.tipAmount")
        );
        let long = || "x".repeat(65);
        let choice = |id: &str| CartChoice {
            choice_id: id.to_owned(),
            ..Default::default()
        };
        for (changed, field) in [
            (cart(|cart, _| cart.store_id = long()), "cart.storeId"),
            (cart(|cart, _| cart.pickup_at = long()), "cart.pickupAt"),
            (cart(|cart, _| cart.promo_code = long()), "cart.promoCode"),
            (cart(|_, line| line.item_id = long()), "cart.lines.itemId"),
            (cart(|_, line| line.size_id = long()), "cart.lines.sizeId"),
            (
                cart(|_, line| line.choices = vec![choice(&long())]),
                "cart.lines.choices",
            ),
            (
                cart(|_, line| line.choices = vec![choice("a"); 101]),
                "cart.lines.choices",
            ),
        ] {
            assert_eq!(kept(&changed), Err(field));
        }
    }
}
