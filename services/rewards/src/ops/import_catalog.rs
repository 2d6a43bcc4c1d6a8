//! Imports a file with promo codes, reward tiers, offers, challenges, landing pages and messages.

use jiff::Timestamp;
use sqlx::PgConnection;

use crate::{
    Rewards,
    db::{challenges, landing_pages, message_texts, offers, promos, reward_tiers},
    domain::catalog::{Catalog, CatalogError, Entry},
};

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Nothing was imported.
    #[error("{}", join_lines(.0))]
    Invalid(Vec<CatalogError>),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

fn join_lines(errors: &[CatalogError]) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Imports a file in one transaction and returns the number of its entries. Inserts and replaces entries, and deletes
/// offers, tiers, landing pages and messages that a previous version of the same catalog contained. Challenges that are missing
/// end; promo codes that are missing stay, because orders refer to them.
///
/// # Errors
/// [`ImportError::Invalid`] with a line number for each error.
pub async fn import_catalog(cx: &Rewards, text: &str) -> Result<usize, ImportError> {
    let catalog = Catalog::parse(text).map_err(ImportError::Invalid)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let mut errors = write_promos(&mut tx, &catalog).await?;
    errors.extend(write_others(&mut tx, &catalog).await?);
    if !errors.is_empty() {
        errors.sort_by_key(|error| error.line);
        return Err(ImportError::Invalid(errors));
    }
    delete_missing(&mut tx, &catalog, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(catalog.count_entries())
}

/// Returns the entries that other catalogs own.
async fn write_promos(conn: &mut PgConnection, catalog: &Catalog) -> Result<Vec<CatalogError>, ImportError> {
    let mut errors = Vec::new();
    for Entry { line, value } in &catalog.promos {
        let written = promos::upsert(conn, &catalog.name, &value.promo, value.max_claims).await;
        match written {
            Ok(true) => {}
            Ok(false) => errors.push(owned_elsewhere(*line, &value.promo.code)),
            Err(sqlx::Error::Database(error)) if error.constraint() == Some("promos_claim_count_range") => {
                let message = format!("{} has more claims than max_claims allows", value.promo.code);
                // The transaction has failed, so no other entry can be checked.
                return Err(ImportError::Invalid(vec![CatalogError { line: *line, message }]));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(errors)
}

async fn write_others(conn: &mut PgConnection, catalog: &Catalog) -> sqlx::Result<Vec<CatalogError>> {
    let name = &catalog.name;
    let mut errors = Vec::new();
    for Entry { line, value } in &catalog.tiers {
        if !reward_tiers::upsert(conn, catalog, value).await? {
            errors.push(owned_elsewhere(*line, &value.points.to_string()));
        }
    }
    for Entry { line, value } in &catalog.offers {
        if !offers::upsert(conn, name, value).await? {
            errors.push(owned_elsewhere(*line, &value.id));
        }
    }
    for Entry { line, value } in &catalog.challenges {
        if !challenges::upsert(conn, name, value).await? {
            let message = format!(
                "{} belongs to another catalog, or consumers have claimed it with another goal, target or start, or a later end",
                value.id
            );
            errors.push(CatalogError { line: *line, message });
        }
    }
    for Entry { line, value } in &catalog.landing_pages {
        if !landing_pages::upsert(conn, name, value).await? {
            errors.push(owned_elsewhere(*line, &value.page.url_slug));
        }
    }
    for Entry { line, value } in &catalog.messages {
        if !message_texts::upsert(conn, name, value).await? {
            errors.push(owned_elsewhere(*line, &value.kind));
        }
    }
    Ok(errors)
}

async fn delete_missing(conn: &mut PgConnection, catalog: &Catalog, now: Timestamp) -> sqlx::Result<()> {
    let name = &catalog.name;
    let points: Vec<i64> = catalog.tiers.iter().map(|tier| tier.value.points).collect();
    let offer_ids: Vec<String> = catalog
        .offers
        .iter()
        .map(|offer| offer.value.id.clone())
        .collect();
    let challenge_ids: Vec<String> = catalog
        .challenges
        .iter()
        .map(|challenge| challenge.value.id.clone())
        .collect();
    let slugs: Vec<String> = catalog
        .landing_pages
        .iter()
        .map(|page| page.value.page.url_slug.clone())
        .collect();
    reward_tiers::delete_others(conn, name, &points).await?;
    offers::delete_others(conn, name, &offer_ids).await?;
    challenges::delete_others(conn, name, &challenge_ids, now).await?;
    let kinds: Vec<String> = catalog
        .messages
        .iter()
        .map(|message| message.value.kind.clone())
        .collect();
    landing_pages::delete_others(conn, name, &slugs).await?;
    message_texts::delete_others(conn, name, &kinds).await
}

fn owned_elsewhere(line: usize, id: &str) -> CatalogError {
    CatalogError {
        line,
        message: format!("{id} belongs to another catalog"),
    }
}
