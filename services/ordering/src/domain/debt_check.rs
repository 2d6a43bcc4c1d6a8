/// What ordering knows of a consumer's debts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebtCheck {
    /// Number of debts that payments has announced so far, paid or not.
    pub announced_debts: i64,
    /// Payments reported no debts recently, and announced none since.
    pub is_clear: bool,
}
