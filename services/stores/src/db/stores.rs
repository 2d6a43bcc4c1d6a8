//! Stores, whole.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use kit::Fault;
use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, StoreId};

use super::hours;
use crate::domain::{geo::Position, hours::Week, store::Store};

struct Row {
    store_id: StoreId,
    company_id: CompanyId,
    company_name: String,
    menu_version: i64,
    name: String,
    street: String,
    city: String,
    region: String,
    postcode: String,
    phone: String,
    latitude: f64,
    longitude: f64,
    time_zone: String,
    tax_rate_ppm: i64,
    curbside: bool,
    baristas: i32,
    paused: bool,
    version: i64,
    favorite: bool,
}

impl Row {
    fn store(self, week: Week) -> Result<Store, Fault> {
        let Self {
            store_id,
            time_zone,
            latitude,
            longitude,
            baristas,
            ..
        } = &self;
        let zone = TimeZone::get(time_zone).map_err(|error| Fault::broken(format!("{store_id}: {error}")))?;
        let position = Position::new(*latitude, *longitude)
            .map_err(|error| Fault::broken(format!("{store_id}: {error}")))?;
        Ok(Store {
            id: *store_id,
            baristas: u32::try_from(*baristas).unwrap_or(1),
            position,
            zone,
            week,
            company: self.company_id,
            company_name: self.company_name,
            menu_version: self.menu_version,
            name: self.name,
            street: self.street,
            city: self.city,
            region: self.region,
            postcode: self.postcode,
            phone: self.phone,
            tax_rate_ppm: self.tax_rate_ppm,
            curbside: self.curbside,
            paused: self.paused,
            version: self.version,
            favorite: self.favorite,
        })
    }
}

/// The stores of these ids, in this order, as a consumer sees them. Unknown ids are left out.
///
/// # Errors
/// The database's; a row that makes no store.
pub async fn by_ids(
    conn: &mut PgConnection,
    ids: &[StoreId],
    consumer: Option<ConsumerId>,
) -> Result<Vec<Store>, Fault> {
    let mut rows: HashMap<StoreId, Row> = sqlx::query_as!(
        Row,
        r#"SELECT store_id AS "store_id: StoreId", company_id AS "company_id: CompanyId", c.name AS company_name,
                  c.menu_version, s.name, street, city, region, postcode, phone, latitude, longitude, time_zone,
                  tax_rate_ppm, curbside, baristas, paused, version,
                  EXISTS (SELECT FROM favorites f WHERE f.consumer_id = $2 AND f.store_id = s.store_id) AS "favorite!"
           FROM stores s JOIN companies c USING (company_id)
           WHERE store_id = ANY($1)"#,
        ids as &[StoreId],
        consumer as Option<ConsumerId>,
    )
    .fetch_all(&mut *conn)
    .await?
    .into_iter()
    .map(|row| (row.store_id, row))
    .collect();
    let mut weeks = hours::of(conn, ids).await?;
    ids.iter()
        .filter_map(|id| rows.remove(id))
        .map(|row| {
            let week = weeks.remove(&row.store_id).unwrap_or_default();
            row.store(week)
        })
        .collect()
}

/// One store.
///
/// # Errors
/// The database's; a row that makes no store.
pub async fn by_id(
    conn: &mut PgConnection,
    id: StoreId,
    consumer: Option<ConsumerId>,
) -> Result<Option<Store>, Fault> {
    Ok(by_ids(conn, &[id], consumer).await?.pop())
}

/// Lets nobody else change a store, or reserve its minutes, until the transaction ends. Says whether there is one.
///
/// # Errors
/// The database's.
pub async fn lock(tx: &mut PgConnection, id: StoreId) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "SELECT 1 AS found FROM stores WHERE store_id = $1 FOR NO KEY UPDATE",
        id as StoreId
    )
    .fetch_optional(tx)
    .await?;
    Ok(found.is_some())
}

/// Pauses or resumes a store; its new version, or nothing if it already stands so (or there is none).
///
/// # Errors
/// The database's.
pub async fn set_paused(
    tx: &mut PgConnection,
    id: StoreId,
    paused: bool,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE stores SET paused = $2, version = version + 1 WHERE store_id = $1 AND paused <> $2 RETURNING version",
        id as StoreId,
        paused,
    )
    .fetch_optional(tx)
    .await
}

/// Whose a store is, and the version of their menu.
///
/// # Errors
/// The database's.
pub async fn company_of(
    conn: &mut PgConnection,
    id: StoreId,
) -> Result<Option<(CompanyId, i64)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT company_id AS "company: CompanyId", menu_version
           FROM stores JOIN companies USING (company_id) WHERE store_id = $1"#,
        id as StoreId,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.company, row.menu_version)))
}
