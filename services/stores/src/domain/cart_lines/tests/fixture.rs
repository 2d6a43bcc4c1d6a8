//! A menu with two items.

use std::collections::HashMap;

use jiff::Timestamp;
use types::{CategoryId, ChoiceId, ItemId, ModificationId, Money, SizeId};

use crate::domain::{
    cart_lines::{CartChoice, CartLine, LineError, ResolvedChoice, ResolvedLine, resolve},
    menu::{
        Category, Choice, ChoicePrice, CupSize, Item, ItemKind, ItemModification, Menu, Modification, Size,
    },
    sold_out::SoldOut,
};

/// A latte in two sizes, with milk (exactly one) and syrup (up to six pumps, two of them included, vanilla by default),
/// and a cookie.
pub(super) struct Fixture {
    pub(super) menu: Menu,
    pub(super) latte: ItemId,
    pub(super) cookie: ItemId,
    pub(super) small: SizeId,
    pub(super) large: SizeId,
    pub(super) one: SizeId,
    pub(super) milk: ModificationId,
    pub(super) syrup: ModificationId,
    pub(super) whole: ChoiceId,
    pub(super) oat: ChoiceId,
    pub(super) vanilla: ChoiceId,
    pub(super) gold: ChoiceId,
}

fn choice(id: ChoiceId, name: &str, max_quantity: u32, small: i64, large: i64) -> Choice {
    let price = |cents| ChoicePrice {
        price: Money::usd(cents),
        calories: 0,
    };
    let prices = HashMap::from([(CupSize::Small, price(small)), (CupSize::Large, price(large))]);
    Choice {
        id,
        name: name.into(),
        max_quantity,
        allergens: vec![],
        art_key: String::new(),
        prices,
    }
}

fn size(id: SizeId, cup_size: CupSize, cents: i64) -> Size {
    let price = Money::usd(cents);
    Size {
        id,
        cup_size,
        name: cup_size.code().into(),
        ounces: 8,
        price,
        calories: 1,
        caffeine_mg: 1,
        is_default: false,
    }
}

fn item(
    id: ItemId,
    name: &str,
    kind: ItemKind,
    sizes: Vec<Size>,
    modifications: Vec<ItemModification>,
) -> Item {
    let category_id = CategoryId::from_uuid(uuid::Uuid::nil());
    let (description, art, allergens) = (String::new(), "{}".into(), vec![]);
    Item {
        id,
        category_id,
        name: name.into(),
        description,
        kind,
        art,
        allergens,
        make_seconds: 60,
        sizes,
        modifications,
    }
}

impl Fixture {
    pub(super) fn new() -> Self {
        let at = Timestamp::UNIX_EPOCH;
        let (latte, cookie) = (ItemId::new(at), ItemId::new(at));
        let (small, large, one) = (SizeId::new(at), SizeId::new(at), SizeId::new(at));
        let (milk, syrup) = (ModificationId::new(at), ModificationId::new(at));
        let (whole, oat, vanilla, gold) = (
            ChoiceId::new(at),
            ChoiceId::new(at),
            ChoiceId::new(at),
            ChoiceId::new(at),
        );
        let modifications = vec![
            ItemModification {
                modification_id: milk,
                min: 1,
                max: 1,
                included: 0,
                defaults: vec![(whole, 1)],
            },
            ItemModification {
                modification_id: syrup,
                min: 0,
                max: 6,
                included: 2,
                defaults: vec![(vanilla, 2)],
            },
        ];
        let sizes = vec![size(small, CupSize::Small, 400), size(large, CupSize::Large, 500)];
        let menu = Menu::new(
            vec![Category {
                id: CategoryId::from_uuid(uuid::Uuid::nil()),
                name: "All".into(),
            }],
            vec![
                item(latte, "Latte", ItemKind::Drink, sizes, modifications),
                item(
                    cookie,
                    "Cookie",
                    ItemKind::Food,
                    vec![size(one, CupSize::One, 300)],
                    vec![],
                ),
            ],
            vec![
                Modification {
                    id: milk,
                    name: "Milk".into(),
                    choices: vec![choice(whole, "Whole", 1, 0, 0), choice(oat, "Oat", 1, 70, 90)],
                },
                Modification {
                    id: syrup,
                    name: "Syrup".into(),
                    choices: vec![
                        choice(vanilla, "Vanilla", 4, 30, 30),
                        choice(gold, "Gold", 4, 100, 120),
                    ],
                },
            ],
        );
        Self {
            menu,
            latte,
            cookie,
            small,
            large,
            one,
            milk,
            syrup,
            whole,
            oat,
            vanilla,
            gold,
        }
    }

    pub(super) fn latte(&self, size: SizeId, choices: Vec<(ModificationId, ChoiceId, u32)>) -> CartLine {
        let choices = choices
            .into_iter()
            .map(|(modification_id, choice_id, quantity)| CartChoice {
                modification_id: Some(modification_id),
                choice_id: Some(choice_id),
                quantity,
            })
            .collect();
        CartLine {
            id: "a".into(),
            item_id: Some(self.latte),
            size_id: Some(size),
            quantity: 1,
            choices,
            note: String::new(),
        }
    }

    pub(super) fn resolve(&self, line: CartLine) -> Result<ResolvedLine, LineError> {
        self.resolve_with(line, &SoldOut::default())
    }

    pub(super) fn resolve_with(&self, line: CartLine, sold_out: &SoldOut) -> Result<ResolvedLine, LineError> {
        resolve(&self.menu, sold_out, vec![line])
            .unwrap()
            .pop()
            .unwrap()
            .map_err(|problem| problem.error)
    }

    pub(super) fn reason(&self, line: CartLine) -> &'static str {
        self.resolve(line).unwrap_err().reason()
    }

    pub(super) fn max_quantity(&self, choice: &ResolvedChoice) -> u32 {
        let modification = self.menu.modification(choice.modification_id).unwrap();
        modification.choice(choice.choice_id).unwrap().max_quantity
    }
}
