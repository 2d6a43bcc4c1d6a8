//! Texts of messages with placeholders, which catalogs can replace.

mod built_in;
mod template;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use built_in::*;
use template::{Place, Template, Values};

/// The title and body of a message. In a catalog and in the database they have placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageText {
    pub title: String,
    pub body: String,
}

/// The texts of catalogs by kind.
pub type CatalogTexts = BTreeMap<String, MessageText>;

/// A text and the values of its placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledText {
    text: &'static BuiltInText,
    values: Vec<(&'static str, Value)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Text(String),
    /// The bodies of other texts.
    Sentences(Vec<FilledText>),
}

impl FilledText {
    pub const fn new(text: &'static BuiltInText) -> Self {
        let values = Vec::new();
        Self { text, values }
    }

    #[must_use]
    pub fn with(mut self, placeholder: &'static str, value: impl Into<String>) -> Self {
        self.values.push((placeholder, Value::Text(value.into())));
        self
    }

    #[must_use]
    pub fn with_sentences(mut self, placeholder: &'static str, sentences: Vec<Self>) -> Self {
        self.values.push((placeholder, Value::Sentences(sentences)));
        self
    }

    /// Returns the kinds of the text and of the sentences in it.
    #[must_use]
    pub fn kinds(&self) -> Vec<String> {
        let mut kinds = vec![self.text.kind.to_owned()];
        for (_, value) in &self.values {
            if let Value::Sentences(sentences) = value {
                kinds.extend(sentences.iter().flat_map(Self::kinds));
            }
        }
        kinds
    }

    /// Fills the text of a catalog, or the built-in one if there is none. The built-in one also replaces a text of an earlier
    /// release that is no longer valid.
    #[must_use]
    pub fn render(&self, texts: &CatalogTexts) -> MessageText {
        let values = self.values(texts);
        texts
            .get(self.text.kind)
            .and_then(|text| render(&text.title, &text.body, &values))
            .or_else(|| render(self.text.title, self.text.body, &values))
            .unwrap_or_else(|| MessageText {
                title: self.text.title.to_owned(),
                body: self.text.body.to_owned(),
            })
    }

    fn values(&self, texts: &CatalogTexts) -> Values {
        let render = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            Value::Sentences(sentences) => {
                let bodies: Vec<String> = sentences.iter().map(|text| text.render(texts).body).collect();
                bodies.join(" ")
            }
        };
        self.values
            .iter()
            .map(|(name, value)| (*name, render(value)))
            .collect()
    }
}

fn render(title: &str, body: &str, values: &Values) -> Option<MessageText> {
    let render = |text| Some(Template::parse(text).ok()?.render(values)?.trim().to_owned());
    Some(MessageText {
        title: render(title)?,
        body: render(body)?,
    })
}

impl BuiltInText {
    /// Returns whether it is inserted into other messages and has no title.
    #[must_use]
    pub const fn is_sentence(&self) -> bool {
        self.title.is_empty()
    }

    /// Returns why the title or the body of a catalog is not allowed for this kind.
    #[must_use]
    pub fn check(&self, text: &str) -> Vec<String> {
        let template = match Template::parse(text) {
            Ok(template) => template,
            Err(error) => return vec![error.to_owned()],
        };
        let mut errors = BTreeSet::new();
        for occurrence in template.occurrences() {
            let name = occurrence.name;
            match self.placeholders.iter().find(|(known, _)| *known == name) {
                None => {
                    errors.insert(format!(
                        "unknown placeholder {{{name}}}; {}",
                        self.list_placeholders()
                    ));
                }
                Some((_, Presence::MayBeEmpty)) if occurrence.place != Place::Present => {
                    errors.insert(format!("{{{name}}} may be empty; put it in [ ]"));
                }
                Some(_) => {}
            }
        }
        let is_blank = |text: &str| text.trim().is_empty();
        let without_optional = template.render(&self.values_without_optional());
        if !is_blank(text) && without_optional.is_some_and(|text| is_blank(&text)) {
            errors.insert("this is empty without the text in [ ]".to_owned());
        }
        errors.into_iter().collect()
    }

    fn values_without_optional(&self) -> Values {
        let value = |presence| match presence {
            Presence::MayBeEmpty => String::new(),
            Presence::Required | Presence::Omittable => "value".to_owned(),
        };
        self.placeholders
            .iter()
            .map(|(name, presence)| (*name, value(*presence)))
            .collect()
    }

    /// Returns the required placeholders that are neither in the title nor in the body. Those in brackets do not count,
    /// because the text in brackets may be left out.
    #[must_use]
    pub fn missing_placeholders(&self, title: &str, body: &str) -> Vec<&'static str> {
        let occurrences: Vec<_> = [title, body]
            .into_iter()
            .filter_map(|text| Template::parse(text).ok())
            .flat_map(|template| template.occurrences())
            .collect();
        let is_missing = |name: &str| {
            !occurrences
                .iter()
                .any(|occurrence| occurrence.name == name && occurrence.place == Place::Outside)
        };
        self.placeholders
            .iter()
            .filter(|(name, presence)| *presence == Presence::Required && is_missing(name))
            .map(|(name, _)| *name)
            .collect()
    }

    fn list_placeholders(&self) -> String {
        if self.placeholders.is_empty() {
            return "this message has none".to_owned();
        }
        let names: Vec<String> = self
            .placeholders
            .iter()
            .map(|(name, _)| format!("{{{name}}}"))
            .collect();
        format!("expected {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_texts_follow_their_own_rules_and_have_different_kinds() {
        let mut kinds = BTreeSet::new();
        for text in BUILT_IN_TEXTS {
            if !text.is_sentence() {
                assert_eq!(text.check(text.title), Vec::<String>::new(), "{}", text.kind);
            }
            assert_eq!(text.check(text.body), Vec::<String>::new(), "{}", text.kind);
            assert!(
                text.missing_placeholders(text.title, text.body).is_empty(),
                "{}",
                text.kind
            );
            assert!(kinds.insert(text.kind), "{}", text.kind);
        }
    }

    #[test]
    fn a_text_of_a_catalog_replaces_the_built_in_one_while_it_is_valid() {
        let ready = FilledText::new(ORDER_READY)
            .with("store", "Juniper")
            .with("number", "");
        let of_catalog = |title: &str, body: &str| {
            let text = MessageText {
                title: title.to_owned(),
                body: body.to_owned(),
            };
            ready.render(&CatalogTexts::from([("order_ready".to_owned(), text)]))
        };
        let text = of_catalog("Come in!", "It's on the bar[ of {store}].[ No. {number}]");
        assert_eq!(
            (&*text.title, &*text.body),
            ("Come in!", "It's on the bar of Juniper.")
        );
        for (title, body) in [("Come in!", "{color}"), ("[", "It's on the bar.")] {
            let text = of_catalog(title, body);
            assert_eq!(
                (&*text.title, &*text.body),
                ("Your order is ready", "Pick it up at Juniper.")
            );
        }
    }

    #[test]
    fn sentences_are_inserted_with_their_own_texts() {
        let text = FilledText::new(ORDER_NOT_PLACED)
            .with("store", "")
            .with("code", "")
            .with_sentences("refund", vec![FilledText::new(NOT_CHARGED)]);
        assert_eq!(text.kinds(), ["order_not_placed", "not_charged"]);
        let free = MessageText {
            title: String::new(),
            body: "No charge.".to_owned(),
        };
        let texts = CatalogTexts::from([("not_charged".to_owned(), free)]);
        assert_eq!(
            text.render(&texts).body,
            "We couldn't place your order. No charge."
        );
    }
}
