//! Imports deals of gift cards from a JSON file.

use anyhow::{Context, ensure};
use jiff::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use types::{
    CompanyId, DealId, Money,
    limits::{MAX_BALANCE_CENTS, MAX_PURCHASE_CENTS, MIN_PURCHASE_CENTS},
};

use crate::{GiftCards, db::deals, domain::deal::NewDeal};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DealSource {
    /// The id of the deal is derived from it.
    key: String,
    /// Absent for deals that are valid at all stores.
    company_id: Option<CompanyId>,
    #[serde(default)]
    company_name: String,
    title: String,
    description: String,
    price_cents: i64,
    value_cents: i64,
    max_per_consumer: i32,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
}

/// Imports deals in one transaction and returns their number. Replaces texts, times and limits of deals with the same key; other
/// deals stay.
///
/// # Errors
/// The file has a syntax error, an unknown field or two equal keys; a deal is worth less than its price, ends before it starts, has
/// a price or value that purchases cannot have, no title, names a company without its name, or has another price, value or company than before. Nothing is imported then.
pub async fn import_deals(cx: &GiftCards, text: &str) -> anyhow::Result<usize> {
    let deals = parse_deals(text)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    write_deals(&mut tx, &deals, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(deals.len())
}

pub(super) async fn write_deals(
    conn: &mut PgConnection,
    new_deals: &[NewDeal],
    now: Timestamp,
) -> anyhow::Result<()> {
    for deal in new_deals {
        ensure!(
            deals::upsert(conn, deal, now).await?,
            "deal {:?}: price, value and company cannot change, because consumers may be buying it; use a new key",
            deal.title
        );
    }
    Ok(())
}

pub(super) fn parse_deals(text: &str) -> anyhow::Result<Vec<NewDeal>> {
    let sources: Vec<DealSource> = serde_json::from_str(text)?;
    let mut deals: Vec<NewDeal> = Vec::new();
    for source in sources {
        let key = source.key.clone();
        let deal = new_deal(source).with_context(|| format!("deal {key:?}"))?;
        ensure!(
            deals.iter().all(|other| other.id != deal.id),
            "two deals have the key {key:?}"
        );
        deals.push(deal);
    }
    Ok(deals)
}

fn new_deal(source: DealSource) -> anyhow::Result<NewDeal> {
    ensure!(!source.title.trim().is_empty(), "title is empty");
    let prices = MIN_PURCHASE_CENTS..=MAX_PURCHASE_CENTS;
    ensure!(
        prices.contains(&source.price_cents),
        "priceCents is not from {MIN_PURCHASE_CENTS} to {MAX_PURCHASE_CENTS}"
    );
    let values = source.price_cents..=MAX_BALANCE_CENTS;
    ensure!(
        values.contains(&source.value_cents),
        "valueCents is not from priceCents to {MAX_BALANCE_CENTS}"
    );
    ensure!(source.max_per_consumer > 0, "maxPerConsumer is not positive");
    ensure!(
        source.company_id.is_some() != source.company_name.is_empty(),
        "companyId and companyName belong together"
    );
    ensure!(
        source
            .starts_at
            .zip(source.ends_at)
            .is_none_or(|(starts_at, ends_at)| starts_at < ends_at),
        "endsAt is not after startsAt"
    );
    Ok(NewDeal {
        id: deal_id(&source.key),
        title: source.title,
        description: source.description,
        price: Money::usd(source.price_cents),
        value: Money::usd(source.value_cents),
        company: source.company_id.map(|id| (id, source.company_name)),
        starts_at: source.starts_at,
        ends_at: source.ends_at,
        max_per_consumer: source.max_per_consumer,
    })
}

fn deal_id(key: &str) -> DealId {
    let digest = Sha256::new().chain_update("deal\0").chain_update(key).finalize();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    DealId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(field: &str, value: &str) -> String {
        let mut deal = serde_json::json!({
            "key": "spring", "title": "Pay $20, get $25", "description": "", "priceCents": 2_000, "valueCents": 2_500,
            "maxPerConsumer": 1,
        });
        deal[field] = serde_json::from_str(value).unwrap();
        let error = parse_deals(&serde_json::json!([deal]).to_string()).unwrap_err();
        format!("{error:#}")
    }

    #[test]
    fn a_wrong_deal_is_named_with_its_mistake() {
        assert_eq!(
            error("valueCents", "1999"),
            "deal \"spring\": valueCents is not from priceCents to 200000"
        );
        assert_eq!(
            error("priceCents", "0"),
            "deal \"spring\": priceCents is not from 1000 to 50000"
        );
        assert_eq!(
            error("companyName", "\"Juniper Lane\""),
            "deal \"spring\": companyId and companyName belong together"
        );
        assert!(error("endsAt", "\"tomorrow\"").contains("line 1"));
    }

    #[test]
    fn a_key_is_used_once() {
        let deals: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../../../../deploy/seed/deals.json")).unwrap();
        let twice = [deals.clone(), deals].concat();
        let error = parse_deals(&serde_json::to_string(&twice).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "two deals have the key \"everywhere\"");
    }
}
