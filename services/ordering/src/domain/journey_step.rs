use types::text_enum;

text_enum! {
    /// Where the consumer placed an order.
    pub enum JourneyStep {
        /// In a browser.
        Web = "web",
        /// In the native app.
        App = "app",
    }
}
