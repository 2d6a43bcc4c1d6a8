//! What a consumer asks for, and what it is once the menu has priced it.

use serde::{Deserialize, Serialize};

/// A line of an order: what was asked for with the names and prices of that moment, so that a receipt never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The client's id of the line.
    pub line_id: String,
    /// The item.
    pub item_id: String,
    /// Its name then.
    pub item_name: String,
    /// The size.
    pub size_id: String,
    /// Its name then.
    pub size_name: String,
    /// `drink` or `food`.
    pub kind: String,
    /// Parameters of the drawing, JSON.
    pub art: String,
    /// How many.
    pub quantity: u32,
    /// What one costs with its choices, in minor units.
    pub unit_price: i64,
    /// What was chosen.
    pub choices: Vec<Choice>,
    /// A wish in words.
    pub note: String,
    /// Unit price times quantity, in minor units.
    pub amount: i64,
    /// This line's part of the discount, in minor units.
    pub discount: i64,
}

/// A choice of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The group.
    pub modification_id: String,
    /// Its name then.
    pub modification_name: String,
    /// The choice.
    pub choice_id: String,
    /// Its name then.
    pub choice_name: String,
    /// How many.
    pub quantity: u32,
    /// What they add to one item, in minor units.
    pub price: i64,
    /// What it does in the drawing.
    pub art_key: String,
    /// Came with the item.
    pub is_default: bool,
}

/// How it is picked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pickup {
    /// At the counter.
    Counter,
    /// Brought to the car.
    Curbside,
}

impl Pickup {
    /// As kept in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Curbside => "curbside",
        }
    }
}

/// What an order is paid with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tender {
    /// A saved card.
    Card,
    /// A linked bank account.
    Bank,
    /// Stored value.
    JoePass,
}

impl Tender {
    /// As kept in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Bank => "bank",
            Self::JoePass => "joepass",
        }
    }
}
