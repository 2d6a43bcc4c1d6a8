use super::text_enum::text_enum;

text_enum! {
    /// How an order is paid.
    pub enum Tender {
        Card = "card",
        Bank = "bank",
        /// Stored value.
        JoePass = "joepass",
    }
}
