use types::text_enum;

text_enum! {
    /// How the payment of an order was lost.
    pub enum PaymentLoss {
        /// The bank released the hold before the capture.
        HoldExpired = "hold_expired",
        /// The bank returned the debit.
        Returned = "returned",
        /// The held amount can no longer be captured.
        CaptureFailed = "capture_failed",
    }
}
