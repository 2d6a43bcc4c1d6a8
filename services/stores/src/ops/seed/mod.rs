//! Writes the companies, menus, stores and credentials of the development stack. Idempotent.

mod build;
mod source;

use anyhow::Context;
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgConnection;
use types::CredentialId;

use self::source::StoreSource;
use super::import_menus::{self, MenuFiles};
use super::write_stores::{StoreWrite, write_stores};
use crate::{
    Stores, db,
    domain::{credential::StoreCredential, secret, stable_id, staff::Pin},
};

const MENU: &str = include_str!("../../../../../deploy/seed/menu.json");
const COMPANIES: &str = include_str!("../../../../../deploy/seed/companies.json");
const STORES: &str = include_str!("../../../../../deploy/seed/stores.json");
/// The store to which the credential with the suffix `_one` gives access.
const SINGLE_STORE_NUMBER: &str = "seed-01";
/// The staff PIN of every store. The store code is the number of the store.
const STAFF_PIN: &str = "246810";

/// Writes the seed. `credential` gives access to all stores; with the suffix `_one`, to one store.
///
/// # Errors
/// The files of `deploy/seed` are inconsistent, or the database rejects them.
pub async fn seed(cx: &Stores, credential: &SecretString) -> anyhow::Result<()> {
    let menus = MenuFiles::parse(MENU, COMPANIES).context("deploy/seed")?;
    let stores: Vec<StoreSource> = serde_json::from_str(STORES).context("deploy/seed/stores.json")?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let companies = import_menus::write(cx, &mut tx, &menus).await?;
    seed_stores(&mut tx, &stores).await?;
    seed_credentials(cx, &mut tx, credential).await?;
    seed_staff_pins(cx, &mut tx, &stores).await?;
    tx.commit().await?;
    tracing::info!(companies = companies.len(), stores = stores.len(), "seeded");
    Ok(())
}

async fn seed_stores(tx: &mut PgConnection, sources: &[StoreSource]) -> anyhow::Result<()> {
    let mut stores = Vec::new();
    for source in sources {
        let hours = build::hours(&source.hours).with_context(|| source.number.clone())?;
        stores.push((
            stable_id::company_id(&source.company),
            build::store(source)?,
            hours,
        ));
    }
    let writes: Vec<_> = stores
        .iter()
        .map(|(company_id, store, hours)| StoreWrite {
            company_id: *company_id,
            store,
            hours,
        })
        .collect();
    let written = write_stores(tx, &writes).await?;
    for source in sources {
        let id = stable_id::store_id(&source.number);
        // Sold-out items of existing stores are kept, because they may have been edited.
        if written.iter().any(|store| store.id == id && store.is_new) {
            db::sold_out::replace(tx, id, &build::sold_out(source)?).await?;
        }
    }
    Ok(())
}

async fn seed_credentials(cx: &Stores, tx: &mut PgConnection, secret: &SecretString) -> anyhow::Result<()> {
    let now = cx.clock.now();
    let all_stores = StoreCredential {
        id: CredentialId::new(now),
        all_stores: true,
        store_ids: vec![],
    };
    let hash = secret::hash(secret);
    db::credentials::insert(tx, &all_stores, &hash, "development: all stores", now).await?;
    let one_store = StoreCredential {
        id: CredentialId::new(now),
        all_stores: false,
        store_ids: vec![stable_id::store_id(SINGLE_STORE_NUMBER)],
    };
    let hash = secret::hash(&SecretString::from(format!("{}_one", secret.expose_secret())));
    db::credentials::insert(tx, &one_store, &hash, "development: one store", now).await?;
    Ok(())
}

/// Sets the PIN of the stores that have none.
async fn seed_staff_pins(cx: &Stores, tx: &mut PgConnection, stores: &[StoreSource]) -> anyhow::Result<()> {
    let mut missing = Vec::new();
    for store in stores {
        let id = stable_id::store_id(&store.number);
        if db::staff::find_code(tx, id).await?.is_none() {
            missing.push((id, store.number.parse()?));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let pin_hash = STAFF_PIN.parse::<Pin>()?.hash()?;
    for (id, code) in missing {
        db::staff::upsert_pin(tx, id, &code, &pin_hash, cx.clock.now()).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::hours::WeeklyHours;

    #[test]
    fn three_of_the_stores_never_close() {
        let stores: Vec<StoreSource> = serde_json::from_str(STORES).unwrap();
        let hours: Vec<_> = stores
            .iter()
            .map(|store| build::hours(&store.hours).unwrap())
            .collect();
        assert!(stores.len() >= 40);
        let always = WeeklyHours::daily(0, 1440);
        assert_eq!(hours.iter().filter(|hours| **hours == always).count(), 3);
        assert!(
            stores
                .iter()
                .all(|store| build::sold_out(store).is_ok() && build::store(store).is_ok())
        );
    }
}
