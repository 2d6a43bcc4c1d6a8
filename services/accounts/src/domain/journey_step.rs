//! Where a session runs.

/// Where a session runs. Only a hand-over with the key of the native app makes a session one of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JourneyStep {
    /// In a browser.
    #[default]
    Web,
    /// In the native app.
    App,
}

impl JourneyStep {
    /// The text that the database stores.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::App => "app",
        }
    }
}

/// Converts the text that the database stores. Its constraint allows no other values.
impl From<String> for JourneyStep {
    fn from(text: String) -> Self {
        if text == Self::App.as_str() {
            Self::App
        } else {
            Self::Web
        }
    }
}
