//! Carts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use types::{
    ChoiceId, ItemId, ModificationId, SizeId, StoreId,
    limits::{
        MAX_CART_LINES, MAX_CLIENT_ID_CHARS, MAX_LINE_CHOICES, MAX_LINE_QUANTITY, MAX_NOTE_CHARS,
        MAX_PROMO_CODE_CHARS,
    },
    text::sanitize_text,
};

use super::pickup;
pub use super::pickup::Pickup;

/// Limit on times, which are stored as the client sent them.
const MAX_TIME_BYTES: usize = 64;

/// A cart as the client sent it. The field names are the stored JSON format of `saved_carts.cart`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartDraft {
    /// Created by the client with the cart.
    pub cart_id: String,
    pub store_id: String,
    pub lines: Vec<CartLine>,
    #[serde(with = "pickup")]
    pub pickup: Pickup,
    /// Requested ready time, RFC 3339; empty for as soon as possible.
    pub pickup_at: String,
    pub promo_code: String,
    /// Cents.
    pub tip_minor_units: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartLine {
    /// Chosen by the client; unique in its cart.
    pub line_id: String,
    pub item_id: String,
    pub size_id: String,
    pub quantity: u32,
    pub choices: Vec<CartChoice>,
    /// For the barista.
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartChoice {
    pub modification_id: String,
    pub choice_id: String,
    /// 0 removes a default of the item.
    pub quantity: u32,
}

/// A well-formed cart, which can be priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cart {
    pub cart_id: String,
    pub store_id: StoreId,
    pub lines: Vec<CartLine>,
    pub pickup: Pickup,
    /// Requested ready time; as soon as possible if absent.
    pub pickup_at: Option<Timestamp>,
    pub promo_code: String,
    /// Cents.
    pub tip_minor_units: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CartError {
    #[error("the cart is empty")]
    Empty,
    #[error("too many lines")]
    TooManyLines,
    /// The limit of an order.
    #[error("more than {max_items} items")]
    TooManyItems { items: u32, max_items: u32 },
    #[error("negative tip")]
    NegativeTip,
    /// The name of the field.
    #[error("invalid {0}")]
    InvalidField(&'static str),
    #[error("{field} has more than {max_chars} characters")]
    TooLong { field: &'static str, max_chars: usize },
}

impl CartDraft {
    /// Parses ids and times, and checks everything that does not depend on the menu.
    ///
    /// # Errors
    /// [`CartError::Empty`] without lines, [`CartError::NegativeTip`], [`CartError::TooLong`] for an id or code,
    /// [`CartError::InvalidField`] if an id or time is malformed.
    pub fn parse(self) -> Result<Cart, CartError> {
        if self.lines.is_empty() {
            return Err(CartError::Empty);
        }
        self.check_client_ids()?;
        self.check_tip()?;
        let invalid = |field| move |_| CartError::InvalidField(field);
        Ok(Cart {
            store_id: self.store_id.parse().map_err(invalid("cart.storeId"))?,
            pickup_at: match self.pickup_at.as_str() {
                "" => None,
                text => Some(
                    text.parse()
                        .map_err(|_| CartError::InvalidField("cart.schedule"))?,
                ),
            },
            cart_id: self.cart_id,
            lines: self.lines.into_iter().map(sanitize_note).collect(),
            pickup: self.pickup,
            promo_code: self.promo_code,
            tip_minor_units: self.tip_minor_units,
        })
    }

    /// Parses a cart that is to be saved. Pricing reports an invalid line as a problem of the line; a cart with one is not
    /// saved.
    ///
    /// # Errors
    /// Those of [`Self::parse`], [`CartError::TooManyLines`], [`CartError::TooLong`] for a note, [`CartError::InvalidField`] if a
    /// line has a malformed id or exceeds a limit.
    pub fn parse_to_save(&self) -> Result<Cart, CartError> {
        if self.lines.len() > MAX_CART_LINES {
            return Err(CartError::TooManyLines);
        }
        check(self.pickup_at.len() <= MAX_TIME_BYTES, "cart.schedule")?;
        self.lines.iter().try_for_each(CartLine::check)?;
        self.clone().parse()
    }

    const fn check_tip(&self) -> Result<(), CartError> {
        if self.tip_minor_units < 0 {
            return Err(CartError::NegativeTip);
        }
        Ok(())
    }

    fn check_client_ids(&self) -> Result<(), CartError> {
        check_chars(&self.cart_id, MAX_CLIENT_ID_CHARS, "cart.cartId")?;
        for line in &self.lines {
            check_chars(&line.line_id, MAX_CLIENT_ID_CHARS, "cart.items.lineId")?;
        }
        check_chars(&self.promo_code, MAX_PROMO_CODE_CHARS, "cart.promo.code")
    }
}

impl CartLine {
    fn check(&self) -> Result<(), CartError> {
        check(self.item_id.parse::<ItemId>().is_ok(), "cart.items.itemId")?;
        check(self.size_id.parse::<SizeId>().is_ok(), "cart.items.sizeId")?;
        check(self.choices.len() <= MAX_LINE_CHOICES, "cart.items.choices")?;
        self.choices.iter().try_for_each(CartChoice::check)?;
        let has_valid_quantity = (1..=MAX_LINE_QUANTITY).contains(&self.quantity);
        check(has_valid_quantity, "cart.items.quantity")?;
        check_chars(&self.note, MAX_NOTE_CHARS, "cart.items.note")
    }
}

impl CartChoice {
    fn check(&self) -> Result<(), CartError> {
        let has_modification = self.modification_id.parse::<ModificationId>().is_ok();
        check(has_modification, "cart.items.choices.modificationId")?;
        check(
            self.choice_id.parse::<ChoiceId>().is_ok(),
            "cart.items.choices.choiceId",
        )
    }
}

impl Cart {
    /// Checks that a store can make the order at once.
    ///
    /// # Errors
    /// [`CartError::TooManyItems`].
    pub fn check_size(&self, max_items: u32) -> Result<(), CartError> {
        // Stores rejects larger quantities of one line with its own error.
        let quantities = self.lines.iter().map(|line| line.quantity.min(MAX_LINE_QUANTITY));
        let items = quantities.fold(0, u32::saturating_add);
        if items > max_items {
            return Err(CartError::TooManyItems { items, max_items });
        }
        Ok(())
    }
}

/// The note is shown on the screen of the staff and printed on labels.
fn sanitize_note(line: CartLine) -> CartLine {
    CartLine {
        note: sanitize_text(&line.note),
        ..line
    }
}

const fn check(is_valid: bool, field: &'static str) -> Result<(), CartError> {
    if is_valid {
        Ok(())
    } else {
        Err(CartError::InvalidField(field))
    }
}

fn check_chars(text: &str, max_chars: usize, field: &'static str) -> Result<(), CartError> {
    if text.chars().count() > max_chars {
        return Err(CartError::TooLong { field, max_chars });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cart(change: impl FnOnce(&mut CartDraft, &mut CartLine)) -> CartDraft {
        let mut line = CartLine {
            line_id: "1".into(),
            item_id: "itm_01h455vb4pex5vsknk084sn02q".into(),
            size_id: "siz_01h455vb4pex5vsknk084sn02q".into(),
            quantity: 1,
            choices: Vec::new(),
            note: String::new(),
        };
        let mut cart = CartDraft {
            cart_id: "c-1".into(),
            store_id: "str_01h455vb4pex5vsknk084sn02q".into(),
            lines: Vec::new(),
            pickup: Pickup::Counter,
            pickup_at: String::new(),
            promo_code: String::new(),
            tip_minor_units: 0,
        };
        change(&mut cart, &mut line);
        cart.lines.push(line);
        cart
    }

    fn invalid<T>(field: &'static str) -> Result<T, CartError> {
        Err(CartError::InvalidField(field))
    }

    #[test]
    fn a_cart_to_be_priced_has_short_client_ids() {
        assert!(cart(|cart, _| cart.cart_id = "é".repeat(64)).parse().is_ok());
        for (cart, field, max_chars) in [
            (cart(|cart, _| cart.cart_id = "c".repeat(65)), "cart.cartId", 64),
            (
                cart(|_, line| line.line_id = "l".repeat(65)),
                "cart.items.lineId",
                64,
            ),
            (
                cart(|cart, _| cart.promo_code = "p".repeat(41)),
                "cart.promo.code",
                40,
            ),
        ] {
            assert_eq!(cart.parse(), Err(CartError::TooLong { field, max_chars }));
        }
    }

    #[test]
    fn a_note_is_one_line_without_control_characters() {
        let note = "\u{202e}no\u{1b}[2J foam\n\n\nplease ";
        let cart = cart(|_, line| line.note = note.into()).parse().unwrap();
        assert_eq!(cart.lines[0].note, "no[2J foam please");
    }

    #[test]
    fn a_cart_to_be_priced_has_a_store_and_a_valid_time() {
        let time = "2026-11-20T18:00:00Z";
        let scheduled = cart(|cart, _| cart.pickup_at = time.into()).parse().unwrap();
        assert_eq!(
            scheduled.pickup_at.map(|at| at.to_string()).as_deref(),
            Some(time)
        );
        assert_eq!(cart(|_, _| {}).parse().unwrap().pickup_at, None);
        for (cart, field) in [
            (cart(|cart, _| cart.store_id = "str_1".into()), "cart.storeId"),
            (cart(|cart, _| cart.pickup_at = "soon".into()), "cart.schedule"),
        ] {
            assert_eq!(cart.parse(), invalid(field));
        }
        let mut empty = cart(|cart, _| cart.store_id = "str_1".into());
        empty.lines.clear();
        assert_eq!(empty.parse(), Err(CartError::Empty));
    }

    #[test]
    fn a_cart_to_be_saved_is_well_formed_and_within_its_limits() {
        let long = || "x".repeat(65);
        let choices = |modification_id: &str, choice_id: &str| {
            let choice = CartChoice {
                modification_id: modification_id.to_owned(),
                choice_id: choice_id.to_owned(),
                quantity: 0,
            };
            vec![choice]
        };
        let (milk, oat) = ("mod_01h455vb4pex5vsknk084sn02q", "cho_01h455vb4pex5vsknk084sn02q");
        for valid in [
            cart(|_, line| line.note = "é".repeat(200)),
            cart(|_, line| line.choices = choices(milk, oat)),
            cart(|cart, _| cart.pickup_at = "2026-11-20T18:00:00Z".into()),
        ] {
            assert!(valid.parse_to_save().is_ok(), "{valid:?}");
        }
        for (cart, field) in [
            (cart(|cart, _| cart.store_id = "str_1".into()), "cart.storeId"),
            (cart(|cart, _| cart.pickup_at = "soon".into()), "cart.schedule"),
            (
                cart(|cart, _| cart.pickup_at = format!("2026-11-20T18:00:00Z{}", "[UTC]".repeat(20))),
                "cart.schedule",
            ),
            (cart(|_, line| line.quantity = 0), "cart.items.quantity"),
            (cart(|_, line| line.quantity = 21), "cart.items.quantity"),
            (cart(|_, line| line.item_id = "latte".into()), "cart.items.itemId"),
            (cart(|_, line| line.size_id = String::new()), "cart.items.sizeId"),
            (
                cart(|_, line| line.choices = choices("milk", oat)),
                "cart.items.choices.modificationId",
            ),
            (
                cart(|_, line| line.choices = choices(milk, "oat")),
                "cart.items.choices.choiceId",
            ),
            (
                cart(|_, line| line.choices = vec![choices(milk, oat)[0].clone(); 101]),
                "cart.items.choices",
            ),
        ] {
            assert_eq!(cart.parse_to_save(), invalid(field));
        }
        for (cart, field, max_chars) in [
            (cart(|cart, _| cart.cart_id = long()), "cart.cartId", 64),
            (cart(|cart, _| cart.promo_code = long()), "cart.promo.code", 40),
            (cart(|_, line| line.line_id = long()), "cart.items.lineId", 64),
            (
                cart(|_, line| line.note = "é".repeat(201)),
                "cart.items.note",
                200,
            ),
        ] {
            assert_eq!(cart.parse_to_save(), Err(CartError::TooLong { field, max_chars }));
        }
        let negative_tip = cart(|cart, _| cart.tip_minor_units = -1);
        assert_eq!(negative_tip.parse_to_save(), Err(CartError::NegativeTip));
        assert_eq!(negative_tip.parse(), Err(CartError::NegativeTip));
        let mut large = cart(|_, _| {});
        large.lines = vec![large.lines[0].clone(); 51];
        assert_eq!(large.parse_to_save(), Err(CartError::TooManyLines));
    }

    #[test]
    fn an_order_has_a_limited_number_of_items() {
        let with_quantities = |quantities: &[u32]| {
            let mut draft = cart(|_, _| {});
            let line = draft.lines.remove(0);
            draft.lines = quantities
                .iter()
                .map(|&quantity| CartLine {
                    quantity,
                    ..line.clone()
                })
                .collect();
            draft.parse().unwrap()
        };
        assert_eq!(with_quantities(&[20, 20, 10]).check_size(50), Ok(()));
        let too_many = |items| Err(CartError::TooManyItems { items, max_items: 50 });
        assert_eq!(with_quantities(&[20, 20, 11]).check_size(50), too_many(51));
        assert_eq!(with_quantities(&[20; 50]).check_size(50), too_many(1000));
        // The error of the line is returned for these.
        assert_eq!(with_quantities(&[u32::MAX, 0]).check_size(50), Ok(()));
    }

    /// As written by the first release.
    const STORED: &str = r#"{
        "cart_id": "c-1", "store_id": "str_1",
        "lines": [{
            "line_id": "1", "item_id": "itm_1", "size_id": "siz_1", "quantity": 2,
            "choices": [{"modification_id": "mod_1", "choice_id": "cho_1", "quantity": 3}],
            "note": "extra hot"
        }],
        "pickup": 2, "pickup_at": "", "promo_code": "FRESH10", "tip_minor_units": 100
    }"#;

    #[test]
    fn stored_carts_are_readable_and_keep_their_format() {
        let cart: CartDraft = serde_json::from_str(STORED).unwrap();
        assert_eq!(cart.pickup, Pickup::Curbside);
        let stored: serde_json::Value = serde_json::from_str(STORED).unwrap();
        assert_eq!(serde_json::to_value(cart).unwrap(), stored);
    }

    #[test]
    fn unknown_kinds_of_pickup_are_errors() {
        let stored = STORED.replace(r#""pickup": 2"#, r#""pickup": 3"#);
        assert!(serde_json::from_str::<CartDraft>(&stored).is_err());
    }
}
