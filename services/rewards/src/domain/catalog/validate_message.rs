//! Checks the texts of messages.

use toml::Spanned;

use super::{CatalogMessage, file::MessageRow, validate::Check};
use crate::domain::message_text::{BUILT_IN_TEXTS, BuiltInText, MessageText};

impl Check<'_> {
    pub(super) fn message(&mut self, row: MessageRow) -> CatalogMessage {
        let built_in = BUILT_IN_TEXTS.iter().find(|text| text.kind == row.kind.get_ref());
        if let Some(built_in) = built_in {
            self.placeholders(built_in, &row);
        } else {
            let kinds: Vec<&str> = BUILT_IN_TEXTS.iter().map(|text| text.kind).collect();
            self.fail(&row.kind, format!("unknown kind; expected {}", kinds.join(", ")));
        }
        CatalogMessage {
            kind: row.kind.into_inner(),
            text: MessageText {
                title: row.title.map_or_else(String::new, |title| self.title(title)),
                body: self.paragraph(row.body),
            },
        }
    }

    fn placeholders(&mut self, built_in: &BuiltInText, row: &MessageRow) {
        match &row.title {
            None if !built_in.is_sentence() => self.fail(&row.kind, "title is missing"),
            Some(title) if built_in.is_sentence() => {
                self.fail(title, format!("{} is a sentence and has no title", built_in.kind));
            }
            _ => {}
        }
        let errors = self.count_errors();
        for text in row.title.iter().chain([&row.body]) {
            for error in built_in.check(text.get_ref()) {
                self.fail(text, error);
            }
        }
        // A text that is not parsed has no placeholders.
        if self.count_errors() == errors {
            let title = row.title.as_ref().map(Spanned::get_ref);
            let title = title.map_or("", String::as_str);
            for name in built_in.missing_placeholders(title, row.body.get_ref()) {
                self.fail(&row.body, format!("{{{name}}} is missing"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::catalog::Catalog;

    #[test]
    fn the_example_contains_all_built_in_texts() {
        let example = Catalog::parse(include_str!("../../../../../deploy/seed/rewards.toml")).unwrap();
        let texts: Vec<_> = example
            .messages
            .iter()
            .map(|entry| {
                (
                    &*entry.value.kind,
                    &*entry.value.text.title,
                    &*entry.value.text.body,
                )
            })
            .collect();
        let built_in: Vec<_> = BUILT_IN_TEXTS
            .iter()
            .map(|text| (text.kind, text.title, text.body))
            .collect();
        // The first is the welcome message, which contains the promo code of the example.
        assert_eq!(texts[1..], built_in[1..]);
    }
}
