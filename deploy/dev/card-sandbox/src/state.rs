//! The sandbox's whole state, and the changes to it that the journal has not stored yet.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::card_behavior::CardBehavior;
use crate::ids::derive_letters;
use crate::objects::{
    Charge, Customer, Delivery, Dispute, Event, PassedAuthentication, PaymentIntent, PaymentMethod, Refund,
    ScheduledDecision, SetupIntent, StoredResponse,
};

/// Objects of one kind, in the order of their creation.
#[derive(Debug)]
pub struct Collection<T> {
    items: HashMap<String, T>,
    order: Vec<String>,
}

impl<T> Default for Collection<T> {
    fn default() -> Self {
        Self {
            items: HashMap::new(),
            order: Vec::new(),
        }
    }
}

impl<T> Collection<T> {
    pub fn get(&self, id: &str) -> Option<&T> {
        self.items.get(id)
    }

    /// Iterates over the objects, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.order.iter().filter_map(|id| self.items.get(id))
    }

    fn insert(&mut self, id: &str, item: T) {
        if self.items.insert(id.to_owned(), item).is_none() {
            self.order.push(id.to_owned());
        }
    }
}

/// An object that the state stores, with its id and the name of its kind in the journal.
pub trait Stored: Serialize + DeserializeOwned + Clone {
    const KIND: &'static str;
    fn id(&self) -> &str;
    fn collection(state: &mut State) -> &mut Collection<Self>;
}

/// One changed object, as the journal stores it.
#[derive(Debug, Clone, Serialize, serde::Deserialize)]
pub struct Record {
    pub kind: String,
    pub value: Value,
}

/// Declares the collections: the field, the type of its objects, the kind's name in the journal, and the id field.
macro_rules! collections {
    ($($field:ident: $object:ty = $name:literal, $id:ident;)*) => {
        #[derive(Debug, Default)]
        pub struct State {
            $(pub $field: Collection<$object>,)*
            /// New ids are derived from the seed and the number of ids created before.
            pub seed: u64,
            pub ids_created: u64,
            changes: Vec<Record>,
        }

        $(impl Stored for $object {
            const KIND: &'static str = $name;
            fn id(&self) -> &str {
                &self.$id
            }
            fn collection(state: &mut State) -> &mut Collection<Self> {
                &mut state.$field
            }
        })*

        impl State {
            /// Stores an object of the journal, without recording a change. Skips unknown kinds.
            ///
            /// # Errors
            /// If the object does not have the fields that this version expects.
            pub fn restore(&mut self, record: Record) -> Result<(), serde_json::Error> {
                match record.kind.as_str() {
                    $($name => {
                        let item: $object = serde_json::from_value(record.value)?;
                        self.$field.insert(&item.$id.clone(), item);
                    })*
                    unknown => tracing::warn!(kind = unknown, "skipped a journal record of unknown kind"),
                }
                Ok(())
            }

            /// Iterates over all objects, as the journal stores them.
            pub fn records(&self) -> impl Iterator<Item = Record> + '_ {
                let records = std::iter::empty();
                $(let records = records.chain(self.$field.iter().filter_map(to_record));)*
                records
            }
        }
    };
}

collections! {
    customers: Customer = "customer", id;
    payment_methods: PaymentMethod = "payment_method", id;
    behaviors: CardBehavior = "behavior", payment_method;
    setup_intents: SetupIntent = "setup_intent", id;
    payment_intents: PaymentIntent = "payment_intent", id;
    charges: Charge = "charge", id;
    refunds: Refund = "refund", id;
    disputes: Dispute = "dispute", id;
    events: Event = "event", id;
    scheduled_decisions: ScheduledDecision = "scheduled_decision", object;
    deliveries: Delivery = "delivery", event;
    stored_responses: StoredResponse = "stored_response", key;
    passed_authentications: PassedAuthentication = "passed_authentication", intent;
}

fn to_record<T: Stored>(item: &T) -> Option<Record> {
    match serde_json::to_value(item) {
        Ok(value) => Some(Record {
            kind: T::KIND.to_owned(),
            value,
        }),
        Err(error) => {
            tracing::error!(%error, kind = T::KIND, "cannot serialize an object");
            None
        }
    }
}

impl State {
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Inserts or replaces an object and records the change.
    pub fn put<T: Stored>(&mut self, item: T) {
        self.changes.extend(to_record(&item));
        let id = item.id().to_owned();
        T::collection(self).insert(&id, item);
    }

    /// Returns the changes since the last call.
    pub fn take_changes(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.changes)
    }

    /// Returns a new id: the prefix, an underscore, and 24 letters and digits.
    pub fn new_id(&mut self, prefix: &str) -> String {
        self.ids_created += 1;
        let letters = derive_letters(&[&self.seed.to_be_bytes(), &self.ids_created.to_be_bytes()]);
        format!("{prefix}_{letters}")
    }

    /// Returns any object of the API by its id, as the API shows it.
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
