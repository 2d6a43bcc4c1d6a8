//! Lines of orders and quotes. They contain the names and prices at the time of the order, so that a receipt never
//! changes.
//!
//! The field names are the stored JSON format of `orders.lines`.

use serde::{Deserialize, Serialize};
use types::{Money, text_enum};

text_enum! {
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ItemKind {
        Drink = "drink",
        Food = "food",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// Chosen by the client; unique in its cart.
    pub line_id: String,
    pub item_id: String,
    pub item_name: String,
    pub size_id: String,
    pub size_name: String,
    pub kind: ItemKind,
    /// Parameters of the drawing, a JSON object.
    pub art: String,
    pub quantity: u32,
    /// Unit price, including choices.
    #[serde(with = "cents")]
    pub unit_price: Money,
    pub choices: Vec<OrderChoice>,
    /// The consumer's note for the barista.
    pub note: String,
    /// Unit price times quantity.
    #[serde(with = "cents")]
    pub amount: Money,
    /// This line's share of the order's discount.
    #[serde(with = "cents")]
    pub discount: Money,
}

/// Returns the price of the most expensive drink, to which a reward applies. `None` without a drink.
#[must_use]
pub fn drink_price(lines: &[OrderLine]) -> Option<Money> {
    let drinks = lines.iter().filter(|line| line.kind == ItemKind::Drink);
    drinks
        .map(|line| line.unit_price)
        .max_by_key(|price| price.minor_units())
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderChoice {
    pub modification_id: String,
    pub modification_name: String,
    pub choice_id: String,
    pub choice_name: String,
    /// 0 for a default of the item that the consumer left out.
    pub quantity: u32,
    /// For the whole quantity, per item.
    #[serde(with = "cents")]
    pub price: Money,
    /// Its effect in the drawing.
    pub art_key: String,
    /// A default of the item.
    pub is_default: bool,
}

/// Stores amounts as integers of cents.
mod cents {
    use serde::{Deserialize, Deserializer, Serializer};
    use types::Money;

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes the field by reference"
    )]
    pub fn serialize<S: Serializer>(amount: &Money, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(amount.minor_units())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        i64::deserialize(deserializer).map(Money::usd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As written by the first release.
    const STORED: &str = r#"{
        "line_id": "1", "item_id": "itm_1", "item_name": "Iced latte", "size_id": "siz_1", "size_name": "Medium",
        "kind": "drink", "art": "{}", "quantity": 2, "unit_price": 575,
        "choices": [{
            "modification_id": "mod_1", "modification_name": "Milk", "choice_id": "cho_1", "choice_name": "Oat",
            "quantity": 1, "price": 75, "art_key": "milk:oat", "is_default": false
        }],
        "note": "extra hot", "amount": 1150, "discount": 100
    }"#;

    #[test]
    fn stored_lines_are_readable_and_keep_their_format() {
        let line: OrderLine = serde_json::from_str(STORED).unwrap();
        assert_eq!(
            (line.kind, line.unit_price, line.amount, line.discount),
            (
                ItemKind::Drink,
                Money::usd(575),
                Money::usd(1150),
                Money::usd(100)
            )
        );
        assert_eq!(line.choices[0].price, Money::usd(75));
        let stored: serde_json::Value = serde_json::from_str(STORED).unwrap();
        assert_eq!(serde_json::to_value(line).unwrap(), stored);
    }

    #[test]
    fn a_reward_applies_to_the_most_expensive_drink() {
        let line = |kind, cents| OrderLine {
            kind,
            unit_price: Money::usd(cents),
            ..serde_json::from_str(STORED).unwrap()
        };
        let (tea, latte) = (line(ItemKind::Drink, 350), line(ItemKind::Drink, 575));
        let cake = line(ItemKind::Food, 900);
        assert_eq!(drink_price(&[tea, cake.clone(), latte]), Some(Money::usd(575)));
        assert_eq!(drink_price(&[cake]), None);
    }

    #[test]
    fn unknown_kinds_of_items_are_errors() {
        let stored = STORED.replace("drink", "vase");
        assert!(serde_json::from_str::<OrderLine>(&stored).is_err());
    }
}
