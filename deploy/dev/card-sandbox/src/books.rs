//! The sandbox's whole state, and the record of what changed in it.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::authentication::Pass;
use crate::idempotency::Answer;
use crate::nature::Nature;
use crate::resources::charges::Charge;
use crate::resources::customers::Customer;
use crate::resources::disputes::Dispute;
use crate::resources::events::Event;
use crate::resources::payment_intents::PaymentIntent;
use crate::resources::payment_methods::PaymentMethod;
use crate::resources::refunds::Refund;
use crate::resources::setup_intents::SetupIntent;
use crate::settlement::Due;
use crate::webhooks::Delivery;

/// Objects of one kind, in the order in which they were first put there.
#[derive(Debug)]
pub struct Shelf<T> {
    items: HashMap<String, T>,
    order: Vec<String>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            items: HashMap::new(),
            order: Vec::new(),
        }
    }
}

impl<T> Shelf<T> {
    pub fn get(&self, id: &str) -> Option<&T> {
        self.items.get(id)
    }

    /// Oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.order.iter().filter_map(|id| self.items.get(id))
    }

    fn insert(&mut self, id: &str, item: T) {
        if self.items.insert(id.to_owned(), item).is_none() {
            self.order.push(id.to_owned());
        }
    }
}

/// What can be kept in the books: it has an id, and a name under which the journal knows its kind.
pub trait Kept: Serialize + DeserializeOwned + Clone {
    const KIND: &'static str;
    fn id(&self) -> &str;
    fn shelf(books: &mut Books) -> &mut Shelf<Self>;
}

/// One changed object, as the journal holds it.
#[derive(Debug, Clone, Serialize, serde::Deserialize)]
pub struct Record {
    pub kind: String,
    pub value: Value,
}

/// Declares the shelves once: the field, the type on it, its name in the journal and its id.
macro_rules! shelves {
    ($($field:ident: $kind:ty = $name:literal, $id:ident;)*) => {
        /// Every object that the sandbox knows.
        #[derive(Debug, Default)]
        pub struct Books {
            $(pub $field: Shelf<$kind>,)*
            /// Where ids come from: a seed, and how many were made.
            pub seed: u64,
            pub minted: u64,
            changes: Vec<Record>,
        }

        $(impl Kept for $kind {
            const KIND: &'static str = $name;
            fn id(&self) -> &str {
                &self.$id
            }
            fn shelf(books: &mut Books) -> &mut Shelf<Self> {
                &mut books.$field
            }
        })*

        impl Books {
            /// Puts back an object that the journal remembers.
            ///
            /// # Errors
            /// When the journal's object does not have the shape that this version expects.
            pub fn restore(&mut self, record: Record) -> Result<(), serde_json::Error> {
                match record.kind.as_str() {
                    $($name => {
                        let item: $kind = serde_json::from_value(record.value)?;
                        self.$field.insert(&item.$id.clone(), item);
                    })*
                    unknown => tracing::warn!(kind = unknown, "the journal holds an unknown kind; skipped"),
                }
                Ok(())
            }

            /// Everything there is, as the journal would hold it.
            pub fn records(&self) -> impl Iterator<Item = Record> + '_ {
                let none = std::iter::empty();
                $(let none = none.chain(self.$field.iter().filter_map(record_of));)*
                none
            }
        }
    };
}

shelves! {
    customers: Customer = "customer", id;
    payment_methods: PaymentMethod = "payment_method", id;
    natures: Nature = "nature", payment_method;
    setup_intents: SetupIntent = "setup_intent", id;
    payment_intents: PaymentIntent = "payment_intent", id;
    charges: Charge = "charge", id;
    refunds: Refund = "refund", id;
    disputes: Dispute = "dispute", id;
    events: Event = "event", id;
    dues: Due = "due", object;
    deliveries: Delivery = "delivery", event;
    answers: Answer = "answer", key;
    passes: Pass = "pass", intent;
}

fn record_of<T: Kept>(item: &T) -> Option<Record> {
    match serde_json::to_value(item) {
        Ok(value) => Some(Record {
            kind: T::KIND.to_owned(),
            value,
        }),
        Err(error) => {
            tracing::error!(%error, kind = T::KIND, "an object cannot be written down");
            None
        }
    }
}

impl Books {
    /// Empty books whose ids follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Puts an object in its place and remembers that it changed.
    pub fn put<T: Kept>(&mut self, item: T) {
        self.changes.extend(record_of(&item));
        let id = item.id().to_owned();
        T::shelf(self).insert(&id, item);
    }

    /// What changed since the last time this was asked.
    pub fn take_changes(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.changes)
    }

    /// A new id: the prefix, then 24 letters and digits.
    pub fn mint(&mut self, prefix: &str) -> String {
        self.minted += 1;
        format!(
            "{prefix}_{}",
            letters(&[&self.seed.to_be_bytes(), &self.minted.to_be_bytes()])
        )
    }

    /// Any object of the API by its id, as the API shows it; used to expand references.
    pub fn find(&self, id: &str) -> Option<Value> {
        let (prefix, _) = id.split_once('_')?;
        match prefix {
            "cus" => self.customers.get(id).map(serde_json::to_value),
            "pm" => self.payment_methods.get(id).map(serde_json::to_value),
            "seti" => self.setup_intents.get(id).map(serde_json::to_value),
            "pi" => self.payment_intents.get(id).map(serde_json::to_value),
            "ch" | "py" => self.charges.get(id).map(serde_json::to_value),
            "re" | "pyr" => self.refunds.get(id).map(serde_json::to_value),
            "dp" => self.disputes.get(id).map(serde_json::to_value),
            _ => None,
        }?
        .ok()
    }
}

/// 24 letters and digits that follow from the parts.
pub fn letters(parts: &[&[u8]]) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let digest = parts
        .iter()
        .fold(Sha256::new(), |hash, part| hash.chain_update(part))
        .finalize();
    digest
        .iter()
        .take(24)
        .map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]))
        .collect()
}
