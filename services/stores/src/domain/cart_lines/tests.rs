mod fixture;

use jiff::Timestamp;
use proptest::prelude::*;

use self::fixture::Fixture;
use super::*;
use crate::domain::sold_out::SoldOutSubject;

#[test]
fn an_item_without_choices_gets_its_defaults() {
    let fixture = Fixture::new();
    let line = fixture.resolve(fixture.latte(fixture.small, vec![])).unwrap();
    assert_eq!(line.unit_price, Money::usd(400));
    let choices: Vec<_> = line
        .choices
        .iter()
        .map(|choice| (choice.choice_id, choice.quantity, choice.is_default))
        .collect();
    assert_eq!(choices, [(fixture.whole, 1, true), (fixture.vanilla, 2, true)]);
}

#[test]
fn the_price_of_a_choice_depends_on_the_size() {
    let fixture = Fixture::new();
    let price = |size| {
        fixture
            .resolve(fixture.latte(size, vec![(fixture.milk, fixture.oat, 1)]))
            .unwrap()
            .unit_price
    };
    assert_eq!(
        (price(fixture.small), price(fixture.large)),
        (Money::usd(470), Money::usd(590))
    );
}

#[test]
fn the_cheapest_choices_are_included() {
    let fixture = Fixture::new();
    let choices = vec![
        (fixture.syrup, fixture.gold, 2),
        (fixture.syrup, fixture.vanilla, 1),
    ];
    let line = fixture.resolve(fixture.latte(fixture.small, choices)).unwrap();
    assert_eq!(
        line.unit_price,
        Money::usd(500),
        "vanilla and one gold are free, one gold is not"
    );
}

#[test]
fn a_default_that_was_left_out_is_listed_with_quantity_0_and_does_not_lower_the_price() {
    let fixture = Fixture::new();
    let line = fixture
        .resolve(fixture.latte(fixture.small, vec![(fixture.syrup, fixture.vanilla, 0)]))
        .unwrap();
    assert_eq!(line.unit_price, Money::usd(400));
    let without_vanilla = (fixture.vanilla, 0, Money::ZERO, false);
    assert_eq!(left_out(&line), [without_vanilla]);

    // The resolved line, ordered again, leaves the same default out.
    let repeated = line
        .choices
        .iter()
        .map(|choice| (choice.modification_id, choice.choice_id, choice.quantity))
        .collect();
    let again = fixture.resolve(fixture.latte(fixture.small, repeated)).unwrap();
    assert_eq!(
        (left_out(&again), again.unit_price),
        (vec![without_vanilla], Money::usd(400))
    );

    let gold_only = vec![(fixture.syrup, fixture.gold, 1)];
    let line = fixture.resolve(fixture.latte(fixture.small, gold_only)).unwrap();
    assert_eq!(
        left_out(&line),
        [without_vanilla],
        "another syrup does not imply it"
    );
    let oat = vec![(fixture.milk, fixture.oat, 1)];
    let line = fixture.resolve(fixture.latte(fixture.small, oat)).unwrap();
    assert_eq!(left_out(&line), [], "the only milk replaces the default");
}

fn left_out(line: &ResolvedLine) -> Vec<(ChoiceId, u32, Money, bool)> {
    line.choices
        .iter()
        .filter(|choice| choice.quantity == 0)
        .map(|choice| (choice.choice_id, choice.quantity, choice.price, choice.is_default))
        .collect()
}

#[test]
fn limits_on_choices_are_enforced() {
    let fixture = Fixture::new();
    for choices in [
        vec![(fixture.milk, fixture.whole, 0)],
        vec![(fixture.milk, fixture.whole, 1), (fixture.milk, fixture.oat, 1)],
        vec![(fixture.milk, fixture.oat, 2)],
        vec![(fixture.syrup, fixture.vanilla, 5)],
        vec![
            (fixture.syrup, fixture.vanilla, 4),
            (fixture.syrup, fixture.gold, 3),
        ],
        vec![
            (fixture.syrup, fixture.vanilla, u32::MAX),
            (fixture.syrup, fixture.vanilla, u32::MAX),
        ],
    ] {
        assert_eq!(
            fixture.reason(fixture.latte(fixture.small, choices.clone())),
            "CHOICE_LIMIT",
            "{choices:?}"
        );
    }
}

#[test]
fn ids_that_do_not_belong_to_the_item_are_unknown() {
    let fixture = Fixture::new();
    let with_item = |item_id| CartLine {
        item_id,
        ..fixture.latte(fixture.small, vec![])
    };
    assert_eq!(
        fixture.reason(with_item(Some(ItemId::new(Timestamp::UNIX_EPOCH)))),
        "ITEM_UNKNOWN"
    );
    assert_eq!(fixture.reason(with_item(None)), "ITEM_UNKNOWN");
    assert_eq!(
        fixture.reason(fixture.latte(fixture.one, vec![])),
        "SIZE_UNKNOWN",
        "a size of another item"
    );
    assert_eq!(
        fixture.reason(fixture.latte(fixture.small, vec![(fixture.milk, fixture.gold, 1)])),
        "CHOICE_UNKNOWN",
        "a choice of another modification"
    );
    let cookie = CartLine {
        item_id: Some(fixture.cookie),
        ..fixture.latte(fixture.one, vec![(fixture.milk, fixture.oat, 1)])
    };
    assert_eq!(
        fixture.reason(cookie),
        "CHOICE_UNKNOWN",
        "a modification of another item"
    );
}

#[test]
fn quantities_and_notes_are_limited() {
    let fixture = Fixture::new();
    for quantity in [0, 21, u32::MAX] {
        let line = CartLine {
            quantity,
            ..fixture.latte(fixture.small, vec![])
        };
        assert_eq!(fixture.reason(line), "QUANTITY_INVALID");
    }
    let line = CartLine {
        note: "x".repeat(201),
        ..fixture.latte(fixture.small, vec![])
    };
    assert_eq!(fixture.reason(line), "NOTE_TOO_LONG");
}

#[test]
fn sold_out_items_sizes_and_choices_are_invalid() {
    let fixture = Fixture::new();
    let reason = |subjects: Vec<SoldOutSubject>| {
        fixture
            .resolve_with(
                fixture.latte(fixture.small, vec![]),
                &subjects.into_iter().collect(),
            )
            .err()
            .map(|error| error.reason())
    };
    assert_eq!(
        reason(vec![SoldOutSubject::Item(fixture.latte)]),
        Some("ITEM_SOLD_OUT")
    );
    assert_eq!(
        reason(vec![SoldOutSubject::Size(fixture.small)]),
        Some("SIZE_SOLD_OUT")
    );
    let all_sizes = vec![
        SoldOutSubject::Size(fixture.small),
        SoldOutSubject::Size(fixture.large),
    ];
    assert_eq!(reason(all_sizes), Some("ITEM_SOLD_OUT"));
    assert_eq!(
        reason(vec![SoldOutSubject::Choice(fixture.whole)]),
        Some("CHOICE_SOLD_OUT")
    );
    assert_eq!(
        reason(vec![SoldOutSubject::Choice(fixture.oat)]),
        None,
        "not chosen"
    );
}

#[test]
fn the_second_line_with_the_same_id_is_invalid() {
    let fixture = Fixture::new();
    let lines = vec![
        fixture.latte(fixture.small, vec![]),
        fixture.latte(fixture.large, vec![]),
    ];
    let results = resolve(&fixture.menu, &SoldOut::default(), lines).unwrap();
    assert!(results[0].is_ok());
    assert_eq!(results[1].as_ref().unwrap_err().error, LineError::LineRepeated);
}

proptest! {
    /// Every request is either invalid, or has a price that is the sum of its parts.
    #[test]
    fn a_price_is_the_sum_of_its_parts(
        large: bool,
        quantity in 0_u32..25,
        requested in proptest::collection::vec((0_usize..2, 0_usize..4, prop_oneof![0_u32..8, any::<u32>()]), 0..8),
    ) {
        let fixture = Fixture::new();
        let modifications = [fixture.milk, fixture.syrup];
        let choices = [fixture.whole, fixture.oat, fixture.vanilla, fixture.gold];
        let requested = requested
            .into_iter()
            .map(|(modification, choice, quantity)| (modifications[modification], choices[choice], quantity))
            .collect();
        let size_id = if large { fixture.large } else { fixture.small };
        let line = CartLine { quantity, ..fixture.latte(size_id, requested) };
        if let Ok(line) = fixture.resolve(line) {
            let item = fixture.menu.item(line.item_id).unwrap();
            let size_price = item.size(line.size_id).unwrap().price.minor_units();
            let choice_prices: i64 = line.choices.iter().map(|choice| choice.price.minor_units()).sum();
            prop_assert_eq!(line.unit_price.minor_units(), size_price + choice_prices);
            for choice in &line.choices {
                prop_assert!(choice.quantity <= fixture.max_quantity(choice));
                prop_assert!(choice.price.minor_units() >= 0);
                if choice.quantity == 0 {
                    prop_assert!(choice.choice_id == fixture.vanilla && choice.price == Money::ZERO, "a left-out default");
                }
            }
            for offered in &item.modifications {
                let total: u32 = line
                    .choices
                    .iter()
                    .filter(|choice| choice.modification_id == offered.modification_id)
                    .map(|choice| choice.quantity)
                    .sum();
                prop_assert!(offered.min <= total && total <= offered.max);
            }
        }
    }

    #[test]
    fn adding_a_choice_never_lowers_the_price(vanilla in 0_u32..4, gold in 0_u32..4) {
        let fixture = Fixture::new();
        let price = |vanilla, gold| {
            let choices = vec![
                (fixture.syrup, fixture.vanilla, vanilla),
                (fixture.syrup, fixture.gold, gold),
            ];
            fixture
                .resolve(fixture.latte(fixture.small, choices))
                .ok()
                .map(|line| line.unit_price.minor_units())
        };
        if let (Some(lower), Some(higher)) = (price(vanilla, gold), price(vanilla, gold + 1)) {
            prop_assert!(lower <= higher);
        }
    }
}
