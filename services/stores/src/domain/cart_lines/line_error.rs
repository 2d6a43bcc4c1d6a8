//! Why a line of a cart is invalid.

use types::limits::{MAX_LINE_QUANTITY, MAX_NOTE_CHARS};

/// The reason for which a line is invalid. The texts are for the consumer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error("This item is no longer on the menu.")]
    ItemUnknown,
    #[error("{0} is sold out.")]
    ItemSoldOut(String),
    #[error("{0} doesn't come in that size.")]
    SizeUnknown(String),
    #[error("{item} is sold out in {size}.")]
    SizeSoldOut { item: String, size: String },
    #[error("One of the options you chose isn't available for {0}.")]
    ChoiceUnknown(String),
    #[error("{0} is sold out.")]
    ChoiceSoldOut(String),
    /// Too few or too many choices of a modification, or too many of one choice.
    #[error("{0}")]
    ChoiceLimit(String),
    #[error("Choose a quantity from 1 to {MAX_LINE_QUANTITY}.")]
    QuantityInvalid,
    #[error("The same item is in your cart twice. Please remove it and add it again.")]
    LineRepeated,
    #[error("Notes can have up to {MAX_NOTE_CHARS} characters.")]
    NoteTooLong,
}

impl LineError {
    /// Returns the stable reason code.
    #[must_use]
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::ItemUnknown => "ITEM_UNKNOWN",
            Self::ItemSoldOut(_) => "ITEM_SOLD_OUT",
            Self::SizeUnknown(_) => "SIZE_UNKNOWN",
            Self::SizeSoldOut { .. } => "SIZE_SOLD_OUT",
            Self::ChoiceUnknown(_) => "CHOICE_UNKNOWN",
            Self::ChoiceSoldOut(_) => "CHOICE_SOLD_OUT",
            Self::ChoiceLimit(_) => "CHOICE_LIMIT",
            Self::QuantityInvalid => "QUANTITY_INVALID",
            Self::LineRepeated => "LINE_REPEATED",
            Self::NoteTooLong => "NOTE_TOO_LONG",
        }
    }

    /// Returns the field of the line that is invalid.
    #[must_use]
    pub(crate) const fn field(&self) -> &'static str {
        match self {
            Self::ItemUnknown | Self::ItemSoldOut(_) => "itemId",
            Self::SizeUnknown(_) | Self::SizeSoldOut { .. } => "sizeId",
            Self::ChoiceUnknown(_) | Self::ChoiceSoldOut(_) | Self::ChoiceLimit(_) => "choices",
            Self::QuantityInvalid => "quantity",
            Self::LineRepeated => "lineId",
            Self::NoteTooLong => "note",
        }
    }
}
