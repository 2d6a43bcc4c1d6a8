//! Writes the companies, menus and stores of development. Changes nothing the second time.

mod build;
mod source;

use anyhow::Context;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use types::{CredentialId, StoreId};

use self::source::{CompanySource, MenuSource, StoreSource};
use crate::{
    Stores, convert,
    db::{self, credentials::Credential},
    domain::{secret, stable_id},
};

const MENU: &str = include_str!("../../../../../deploy/seed/menu.json");
const COMPANIES: &str = include_str!("../../../../../deploy/seed/companies.json");
const STORES: &str = include_str!("../../../../../deploy/seed/stores.json");
/// The store that the second credential of development speaks for.
const ONE_STORE: &str = "seed-01";

/// Writes the seed. `credential` speaks for all stores, and with `_one` behind it for a single one.
///
/// # Errors
/// The database's; files that do not fit together.
pub async fn seed(cx: &Stores, credential: &SecretString) -> anyhow::Result<()> {
    let menu: MenuSource = serde_json::from_str(MENU).context("deploy/seed/menu.json")?;
    let companies: Vec<CompanySource> =
        serde_json::from_str(COMPANIES).context("deploy/seed/companies.json")?;
    let stores: Vec<StoreSource> = serde_json::from_str(STORES).context("deploy/seed/stores.json")?;
    let mut tx = cx.pool.begin().await?;
    for company in &companies {
        write_company(cx, &mut tx, &menu, company)
            .await
            .with_context(|| company.key.clone())?;
    }
    write_stores(&mut tx, &stores).await?;
    write_credentials(cx, &mut tx, credential).await?;
    tx.commit().await?;
    tracing::info!(companies = companies.len(), stores = stores.len(), "seeded");
    Ok(())
}

async fn write_company(
    cx: &Stores,
    tx: &mut PgConnection,
    source: &MenuSource,
    company: &CompanySource,
) -> anyhow::Result<()> {
    let id = build::company_id(&company.key);
    let digest: [u8; 32] = Sha256::digest([MENU, COMPANIES].concat()).into();
    let known = db::intake::company(tx, id, &company.name).await?;
    if known.menu_digest.as_deref() == Some(digest.as_slice()) {
        return Ok(());
    }
    let version = db::menu_write::replace(tx, id, &build::menu(source, company)?, &digest).await?;
    let event = convert::event::menu_changed(id, version, cx.clock.now());
    kit::outbox::append(tx, event).await?;
    Ok(())
}

async fn write_stores(tx: &mut PgConnection, sources: &[StoreSource]) -> anyhow::Result<()> {
    let mut stores = Vec::new();
    let mut weeks = Vec::new();
    for source in sources {
        let company = build::company_id(&source.company);
        stores.push((stable_id::store(&source.number), company, build::store(source)?));
        weeks.push((
            stable_id::store(&source.number),
            build::week(&source.hours).with_context(|| source.number.clone())?,
        ));
    }
    let rows: Vec<_> = stores
        .iter()
        .map(|(id, company, store)| (*id, *company, store))
        .collect();
    let written = db::intake::stores(tx, &rows).await?;
    // Hours and shortages are a store's own affair once it is there.
    let new = |id: StoreId| written.iter().any(|store| store.id == id && store.is_new);
    let weeks: Vec<_> = weeks
        .iter()
        .filter(|(id, _)| new(*id))
        .map(|(id, week)| (*id, week))
        .collect();
    db::hours::replace(tx, &weeks).await?;
    super::import::take_turns(tx, &written).await?;
    for source in sources {
        let id = stable_id::store(&source.number);
        if new(id) {
            db::sold_out::replace(tx, id, &build::sold_out(source)?).await?;
        }
    }
    Ok(())
}

async fn write_credentials(
    cx: &Stores,
    tx: &mut PgConnection,
    credential: &SecretString,
) -> anyhow::Result<()> {
    let now = cx.clock.now();
    let one = SecretString::from(format!("{}_one", credential.expose_secret()));
    let all_stores = Credential {
        id: CredentialId::new(now),
        all_stores: true,
        stores: vec![],
    };
    let stores = vec![stable_id::store(ONE_STORE)];
    let one_store = Credential {
        id: CredentialId::new(now),
        all_stores: false,
        stores,
    };
    db::credentials::add(
        tx,
        &all_stores,
        &secret::hash(credential),
        "development: every store",
        now,
    )
    .await?;
    db::credentials::add(tx, &one_store, &secret::hash(&one), "development: one store", now).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::menu::Kind;

    #[test]
    fn the_files_make_three_whole_menus() {
        let source: MenuSource = serde_json::from_str(MENU).unwrap();
        let companies: Vec<CompanySource> = serde_json::from_str(COMPANIES).unwrap();
        assert_eq!(companies.len(), 3);
        for company in &companies {
            let menu = build::menu(&source, company).unwrap();
            let count = |kind| menu.items().iter().filter(|item| item.kind == kind).count();
            assert!(
                count(Kind::Drink) >= 58 && count(Kind::Food) >= 25,
                "{}",
                company.key
            );
            assert!(
                menu.items()
                    .iter()
                    .all(|item| item.default_size().is_some_and(|size| size.is_default))
            );
            assert!(
                menu.categories()
                    .iter()
                    .all(|category| menu.items_of(category.id).count() > 0)
            );
        }
    }

    #[test]
    fn some_stores_never_close() {
        let stores: Vec<StoreSource> = serde_json::from_str(STORES).unwrap();
        let weeks: Vec<_> = stores
            .iter()
            .map(|store| build::week(&store.hours).unwrap())
            .collect();
        assert!(stores.len() >= 40);
        let always = crate::domain::hours::Week::daily(0, 1440).unwrap();
        assert_eq!(weeks.iter().filter(|week| **week == always).count(), 3);
        assert!(
            stores
                .iter()
                .all(|store| build::sold_out(store).is_ok() && build::store(store).is_ok())
        );
    }
}
