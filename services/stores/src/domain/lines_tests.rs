use std::collections::HashMap;

use jiff::Timestamp;
use proptest::prelude::*;
use types::CategoryId;

use super::*;
use crate::domain::{
    menu::{Category, Scale},
    sold_out::Subject,
};

/// A latte in two sizes, with milk (one of), syrup (up to six pumps, two included, vanilla as it comes) and a cookie.
struct Fixture {
    menu: Menu,
    latte: ItemId,
    cookie: ItemId,
    small: SizeId,
    large: SizeId,
    one: SizeId,
    milk: ModificationId,
    syrup: ModificationId,
    whole: ChoiceId,
    oat: ChoiceId,
    vanilla: ChoiceId,
    gold: ChoiceId,
}

fn choice(id: ChoiceId, name: &str, max_quantity: u32, small: i64, large: i64) -> Choice {
    let extra = |cents| Extra {
        price: Money::usd(cents),
        calories: 0,
    };
    let by_scale = HashMap::from([(Scale::Small, extra(small)), (Scale::Large, extra(large))]);
    Choice {
        id,
        name: name.into(),
        max_quantity,
        allergens: vec![],
        art_key: String::new(),
        by_scale,
    }
}

fn size(id: SizeId, scale: Scale, cents: i64) -> Size {
    let price = Money::usd(cents);
    Size {
        id,
        scale,
        name: scale.code().into(),
        ounces: 8,
        price,
        calories: 1,
        caffeine_mg: 1,
        is_default: false,
    }
}

fn item(id: ItemId, name: &str, kind: Kind, sizes: Vec<Size>, groups: Vec<Group>) -> Item {
    let category = CategoryId::from_uuid(uuid::Uuid::nil());
    let (description, art, allergens) = (String::new(), "{}".into(), vec![]);
    Item {
        id,
        category,
        name: name.into(),
        description,
        kind,
        art,
        allergens,
        make_seconds: 60,
        sizes,
        groups,
    }
}

impl Fixture {
    fn new() -> Self {
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
        let groups = vec![
            Group {
                modification: milk,
                min: 1,
                max: 1,
                included: 0,
                defaults: vec![(whole, 1)],
            },
            Group {
                modification: syrup,
                min: 0,
                max: 6,
                included: 2,
                defaults: vec![(vanilla, 2)],
            },
        ];
        let sizes = vec![size(small, Scale::Small, 400), size(large, Scale::Large, 500)];
        let menu = Menu::new(
            vec![Category {
                id: CategoryId::from_uuid(uuid::Uuid::nil()),
                name: "All".into(),
            }],
            vec![
                item(latte, "Latte", Kind::Drink, sizes, groups),
                item(
                    cookie,
                    "Cookie",
                    Kind::Food,
                    vec![size(one, Scale::One, 300)],
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

    fn latte(&self, size: SizeId, choices: Vec<(ModificationId, ChoiceId, u32)>) -> Line {
        let choices = choices
            .into_iter()
            .map(|(modification, choice, quantity)| Wanted {
                modification: Some(modification),
                choice: Some(choice),
                quantity,
            })
            .collect();
        Line {
            id: "a".into(),
            item: Some(self.latte),
            size: Some(size),
            quantity: 1,
            choices,
            note: String::new(),
        }
    }

    fn resolve(&self, line: Line) -> Result<Resolved<'_>, Problem> {
        self.resolve_where(line, &SoldOut::default())
    }

    fn resolve_where(&self, line: Line, sold_out: &SoldOut) -> Result<Resolved<'_>, Problem> {
        resolve(&self.menu, sold_out, &[line]).unwrap().pop().unwrap()
    }

    fn reason(&self, line: Line) -> &'static str {
        self.resolve(line).unwrap_err().reason()
    }
}

#[test]
fn comes_as_it_comes() {
    let shop = Fixture::new();
    let line = shop.resolve(shop.latte(shop.small, vec![])).unwrap();
    assert_eq!(line.unit_price, Money::usd(400));
    let taken: Vec<_> = line
        .choices
        .iter()
        .map(|taken| (taken.choice.id, taken.quantity, taken.is_default))
        .collect();
    assert_eq!(taken, [(shop.whole, 1, true), (shop.vanilla, 2, true)]);
}

#[test]
fn a_choice_costs_what_its_size_says() {
    let shop = Fixture::new();
    let price = |size| {
        shop.resolve(shop.latte(size, vec![(shop.milk, shop.oat, 1)]))
            .unwrap()
            .unit_price
    };
    assert_eq!(
        (price(shop.small), price(shop.large)),
        (Money::usd(470), Money::usd(590))
    );
}

#[test]
fn the_cheapest_are_included() {
    let shop = Fixture::new();
    let wanted = vec![(shop.syrup, shop.gold, 2), (shop.syrup, shop.vanilla, 1)];
    let line = shop.resolve(shop.latte(shop.small, wanted)).unwrap();
    assert_eq!(
        line.unit_price,
        Money::usd(500),
        "vanilla and one gold are free, one gold is not"
    );
}

#[test]
fn what_it_comes_with_can_be_taken_away() {
    let shop = Fixture::new();
    let line = shop
        .resolve(shop.latte(shop.small, vec![(shop.syrup, shop.vanilla, 0)]))
        .unwrap();
    assert!(line.choices.iter().all(|taken| taken.choice.id != shop.vanilla));
    assert_eq!(line.unit_price, Money::usd(400), "and gives nothing back");
}

#[test]
fn limits_hold() {
    let shop = Fixture::new();
    for wanted in [
        vec![(shop.milk, shop.whole, 0)],
        vec![(shop.milk, shop.whole, 1), (shop.milk, shop.oat, 1)],
        vec![(shop.milk, shop.oat, 2)],
        vec![(shop.syrup, shop.vanilla, 5)],
        vec![(shop.syrup, shop.vanilla, 4), (shop.syrup, shop.gold, 3)],
        vec![
            (shop.syrup, shop.vanilla, u32::MAX),
            (shop.syrup, shop.vanilla, u32::MAX),
        ],
    ] {
        assert_eq!(
            shop.reason(shop.latte(shop.small, wanted.clone())),
            "CHOICE_LIMIT",
            "{wanted:?}"
        );
    }
}

#[test]
fn strangers_are_refused() {
    let shop = Fixture::new();
    let unknown = Line {
        item: Some(ItemId::new(Timestamp::UNIX_EPOCH)),
        ..shop.latte(shop.small, vec![])
    };
    assert_eq!(shop.reason(unknown), "ITEM_UNKNOWN");
    assert_eq!(
        shop.reason(Line {
            item: None,
            ..shop.latte(shop.small, vec![])
        }),
        "ITEM_UNKNOWN"
    );
    assert_eq!(
        shop.reason(shop.latte(shop.one, vec![])),
        "SIZE_UNKNOWN",
        "another item's size"
    );
    assert_eq!(
        shop.reason(shop.latte(shop.small, vec![(shop.milk, shop.gold, 1)])),
        "CHOICE_UNKNOWN",
        "another group's"
    );
    let cookie = Line {
        item: Some(shop.cookie),
        ..shop.latte(shop.one, vec![(shop.milk, shop.oat, 1)])
    };
    assert_eq!(shop.reason(cookie), "CHOICE_UNKNOWN", "another item's group");
}

#[test]
fn quantities_are_bounded() {
    let shop = Fixture::new();
    for quantity in [0, 21, u32::MAX] {
        assert_eq!(
            shop.reason(Line {
                quantity,
                ..shop.latte(shop.small, vec![])
            }),
            "QUANTITY_INVALID"
        );
    }
    assert_eq!(
        shop.reason(Line {
            note: "x".repeat(201),
            ..shop.latte(shop.small, vec![])
        }),
        "NOTE_TOO_LONG"
    );
}

#[test]
fn sold_out_is_said_of_item_size_and_choice() {
    let shop = Fixture::new();
    let reason = |subjects: Vec<Subject>| {
        shop.resolve_where(shop.latte(shop.small, vec![]), &subjects.into_iter().collect())
            .map_err(|p| p.reason())
            .err()
    };
    assert_eq!(reason(vec![Subject::Item(shop.latte)]), Some("ITEM_SOLD_OUT"));
    assert_eq!(reason(vec![Subject::Size(shop.small)]), Some("SIZE_SOLD_OUT"));
    assert_eq!(
        reason(vec![Subject::Size(shop.small), Subject::Size(shop.large)]),
        Some("ITEM_SOLD_OUT")
    );
    assert_eq!(reason(vec![Subject::Choice(shop.whole)]), Some("CHOICE_SOLD_OUT"));
    assert_eq!(reason(vec![Subject::Choice(shop.oat)]), None, "not wanted");
}

#[test]
fn two_lines_of_one_id_are_one_too_many() {
    let shop = Fixture::new();
    let lines = [shop.latte(shop.small, vec![]), shop.latte(shop.large, vec![])];
    let answers = resolve(&shop.menu, &SoldOut::default(), &lines).unwrap();
    assert!(
        answers[0].is_ok()
            && answers[1]
                .as_ref()
                .is_err_and(|problem| *problem == Problem::LineRepeated)
    );
}

proptest! {
    /// Whatever is asked for, the answer is a reason or a price that its parts add up to.
    #[test]
    fn a_price_is_the_sum_of_its_parts(
        large: bool,
        quantity in 0_u32..25,
        wanted in proptest::collection::vec((0_usize..2, 0_usize..4, prop_oneof![0_u32..8, any::<u32>()]), 0..8),
    ) {
        let shop = Fixture::new();
        let choices = wanted
            .into_iter()
            .map(|(group, choice, quantity)| {
                ([shop.milk, shop.syrup][group], [shop.whole, shop.oat, shop.vanilla, shop.gold][choice], quantity)
            })
            .collect();
        let line = Line { quantity, ..shop.latte(if large { shop.large } else { shop.small }, choices) };
        if let Ok(line) = shop.resolve(line) {
            let parts: i64 = line.choices.iter().map(|taken| taken.price.minor_units()).sum();
            prop_assert_eq!(line.unit_price.minor_units(), line.size.price.minor_units() + parts);
            prop_assert!(line.choices.iter().all(|taken| taken.quantity >= 1 && taken.quantity <= taken.choice.max_quantity));
            prop_assert!(line.choices.iter().all(|taken| taken.price.minor_units() >= 0));
            for group in &line.item.groups {
                let of_group = line.choices.iter().filter(|taken| taken.modification.id == group.modification);
                let total: u32 = of_group.map(|taken| taken.quantity).sum();
                prop_assert!(group.min <= total && total <= group.max);
            }
        }
    }

    /// One more of something never makes a drink cheaper.
    #[test]
    fn more_never_costs_less(vanilla in 0_u32..4, gold in 0_u32..4) {
        let shop = Fixture::new();
        let price = |vanilla, gold| {
            shop.resolve(shop.latte(shop.small, vec![(shop.syrup, shop.vanilla, vanilla), (shop.syrup, shop.gold, gold)]))
                .ok()
                .map(|line| line.unit_price.minor_units())
        };
        if let (Some(less), Some(more)) = (price(vanilla, gold), price(vanilla, gold + 1)) {
            prop_assert!(less <= more);
        }
    }
}
