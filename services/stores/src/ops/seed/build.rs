//! Builds stores from `deploy/seed/stores.json`.

use anyhow::{Context, bail};

use super::source::{HoursSource, StoreSource};
use crate::domain::{
    csv_import::NewStore,
    geo::Position,
    hours::{Opening, WeeklyHours},
    menu::CupSize,
    photo::PhotoChange,
    sold_out::SoldOutSubject,
    stable_id::{choice_id, item_id, size_id},
};

pub(super) fn store(source: &StoreSource) -> anyhow::Result<NewStore> {
    Ok(NewStore {
        number: source.number.clone(),
        name: source.name.clone(),
        street: source.street.clone(),
        city: source.city.clone(),
        region: source.region.clone(),
        postcode: source.postcode.clone(),
        phone: source.phone.clone(),
        position: Position::new(source.latitude, source.longitude)?,
        time_zone: source.time_zone.clone(),
        tax_rate_ppm: Some(source.tax_rate_ppm),
        mean_tax_rate_ppm: source.tax_rate_ppm,
        curbside: Some(source.curbside),
        baristas: source.baristas,
        photo: PhotoChange::Keep,
    })
}

pub(super) fn hours(source: &HoursSource) -> anyhow::Result<WeeklyHours> {
    let days = (1..=5)
        .map(|day| (day, &source.weekdays))
        .chain([(6, &source.saturday), (7, &source.sunday)]);
    let openings = days.flat_map(|(day, spans)| spans.iter().map(move |span| Opening::parse(day, span)));
    Ok(WeeklyHours::new(openings.collect::<Result<_, _>>()?))
}

/// Parses `item KEY`, `size ITEM/CUP` and `choice MODIFICATION/KEY`.
pub(super) fn sold_out(source: &StoreSource) -> anyhow::Result<Vec<SoldOutSubject>> {
    let company = &source.company;
    let subjects = source.sold_out.iter().map(|text| {
        match text
            .split_once(' ')
            .map(|(kind, key)| (kind, key.split_once('/'), key))
        {
            Some(("item", None, key)) => Ok(SoldOutSubject::Item(item_id(company, key))),
            Some(("size", Some((item, cup)), _)) => {
                let cup_size = CupSize::from_code(cup).with_context(|| format!("unknown cup size {cup}"))?;
                Ok(SoldOutSubject::Size(size_id(company, item, cup_size)))
            }
            Some(("choice", Some((modification, key)), _)) => {
                Ok(SoldOutSubject::Choice(choice_id(company, modification, key)))
            }
            _ => bail!("{}: unknown sold-out subject {text:?}", source.number),
        }
    });
    subjects.collect()
}
