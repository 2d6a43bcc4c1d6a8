//! Stores, whole.

use std::{collections::HashMap, fmt::Display, ops::RangeInclusive};

use jiff::tz::TimeZone;
use kit::InternalError;
use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, StoreId};
use uuid::Uuid;

use super::{hours, sold_out};
use crate::domain::{capacity::Load, geo::Position, sold_out::SoldOut, store::Store};

/// A store with all that moves about it, as it was at one moment.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The store.
    pub store: Store,
    /// What it has promised, in the slices that were asked for.
    pub load: Load,
    /// What it is out of.
    pub sold_out: SoldOut,
    /// How often what it can promise has changed: what is planned on this moment is written only at this turn.
    pub turn: i64,
}

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
    weekdays: Option<Vec<i16>>,
    opens: Option<Vec<i16>>,
    closes: Option<Vec<i16>>,
    slices: Option<Vec<i64>>,
    seconds: Option<Vec<i32>>,
    subjects: Option<Vec<String>>,
    subject_ids: Option<Vec<Uuid>>,
    turn: i64,
}

impl Row {
    fn moment(mut self) -> Result<Moment, InternalError> {
        let slices = self.slices.take().into_iter().flatten();
        let seconds = self.seconds.take().into_iter().flatten();
        Ok(Moment {
            load: slices.zip(seconds.map(i64::from)).collect(),
            sold_out: sold_out::of_columns(self.subjects.take(), self.subject_ids.take()),
            turn: self.turn,
            store: self.store()?,
        })
    }

    fn store(self) -> Result<Store, InternalError> {
        let id = self.store_id;
        let broken = |error: &dyn Display| InternalError::broken(format!("{id}: {error}"));
        let zone = TimeZone::get(&self.time_zone).map_err(|error| broken(&error))?;
        let position = Position::new(self.latitude, self.longitude).map_err(|error| broken(&error))?;
        let week = hours::week(self.weekdays, self.opens, self.closes).map_err(|error| broken(&error))?;
        Ok(Store {
            id,
            baristas: u32::try_from(self.baristas).unwrap_or(1),
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

/// Reads stores by a condition, each with all that moves about it, in one statement: one list of columns for both
/// queries, each checked at compile time.
macro_rules! select {
    ($condition:tt, $($argument:expr),*) => {
        sqlx::query_as!(
            Row,
            r#"SELECT s.store_id AS "store_id: StoreId", company_id AS "company_id: CompanyId", c.name AS company_name,
                      c.menu_version, s.name, street, city, region, postcode, phone, latitude, longitude, time_zone,
                      tax_rate_ppm, curbside, baristas, paused, version,
                      EXISTS (SELECT FROM favorites f WHERE f.consumer_id = $2 AND f.store_id = s.store_id)
                        AS "favorite!",
                      weekdays, opens, closes, slices, seconds, subjects, subject_ids,
                      coalesce((SELECT turn FROM store_turns t WHERE t.store_id = s.store_id), 0) AS "turn!"
               FROM stores s JOIN companies c USING (company_id)
               CROSS JOIN LATERAL (
                   SELECT array_agg(weekday) AS weekdays, array_agg(opens_minute) AS opens,
                          array_agg(closes_minute) AS closes
                   FROM store_hours h WHERE h.store_id = s.store_id) AS hours
               CROSS JOIN LATERAL (
                   SELECT array_agg(slice) AS slices, array_agg(used_seconds) AS seconds
                   FROM make_slices m WHERE m.store_id = s.store_id AND slice BETWEEN $3 AND $4) AS load
               CROSS JOIN LATERAL (
                   SELECT array_agg(subject) AS subjects, array_agg(subject_id) AS subject_ids
                   FROM sold_out o WHERE o.store_id = s.store_id) AS missing "# + $condition,
            $($argument),*
        )
    };
}

/// The stores of these ids, in this order, as a consumer sees them, with what they have promised in these slices.
/// Unknown ids are left out.
///
/// # Errors
/// The database's; a row that makes no store.
pub async fn by_ids(
    conn: &mut PgConnection,
    ids: &[StoreId],
    consumer: Option<ConsumerId>,
    slices: RangeInclusive<i64>,
) -> Result<Vec<Moment>, InternalError> {
    let rows = select!(
        "WHERE s.store_id = ANY($1)",
        ids as &[StoreId],
        consumer as Option<ConsumerId>,
        slices.start(),
        slices.end()
    );
    let mut rows: HashMap<StoreId, Row> = rows
        .fetch_all(conn)
        .await?
        .into_iter()
        .map(|row| (row.store_id, row))
        .collect();
    ids.iter()
        .filter_map(|id| rows.remove(id))
        .map(Row::moment)
        .collect()
}

/// One store, as [`by_ids`] answers it. A query of its own: for a list of unknown length PostgreSQL would plan each call
/// anew.
///
/// # Errors
/// The database's; a row that makes no store.
pub async fn by_id(
    conn: &mut PgConnection,
    id: StoreId,
    consumer: Option<ConsumerId>,
    slices: RangeInclusive<i64>,
) -> Result<Option<Moment>, InternalError> {
    let row = select!(
        "WHERE s.store_id = $1",
        id as StoreId,
        consumer as Option<ConsumerId>,
        slices.start(),
        slices.end()
    );
    row.fetch_optional(conn).await?.map(Row::moment).transpose()
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
