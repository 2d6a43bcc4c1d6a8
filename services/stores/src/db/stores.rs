//! Stores with their hours, load and sold-out items.

use std::{collections::HashMap, fmt::Display, ops::RangeInclusive};

use jiff::tz::TimeZone;
use kit::InternalError;
use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, StoreId};
use uuid::Uuid;

use super::{hours, pauses, shifts, sold_out, special_days};
use crate::domain::{
    geo::Position,
    opening_hours::OpeningHours,
    staffing::Staffing,
    store::{Store, StoreSnapshot},
};

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
    photo_url: Option<String>,
    latitude: f64,
    longitude: f64,
    time_zone: String,
    tax_rate_ppm: i64,
    curbside: bool,
    baristas: i32,
    paused: bool,
    pause_reason: String,
    paused_until: Option<jiff_sqlx::Timestamp>,
    favorite: bool,
    special_days: Option<Vec<String>>,
    special_names: Option<Vec<String>>,
    special_opens: Option<Vec<Option<i16>>>,
    special_closes: Option<Vec<Option<i16>>>,
    shift_days: Option<Vec<String>>,
    shift_baristas: Option<Vec<i32>>,
    weekdays: Option<Vec<i16>>,
    opens_minutes: Option<Vec<i16>>,
    closes_minutes: Option<Vec<i16>>,
    slots: Option<Vec<i64>>,
    used_seconds: Option<Vec<i32>>,
    subjects: Option<Vec<String>>,
    subject_ids: Option<Vec<Uuid>>,
    schedule_version: i64,
}

impl Row {
    fn into_snapshot(mut self) -> Result<StoreSnapshot, InternalError> {
        let slots = self.slots.take().into_iter().flatten();
        let used_seconds = self.used_seconds.take().into_iter().flatten();
        Ok(StoreSnapshot {
            load: slots.zip(used_seconds.map(i64::from)).collect(),
            sold_out: sold_out::from_columns(self.subjects.take(), self.subject_ids.take())?,
            schedule_version: self.schedule_version,
            store: self.into_store()?,
        })
    }

    fn into_store(self) -> Result<Store, InternalError> {
        let id = self.store_id;
        let invalid = |error: &dyn Display| InternalError::invariant_violated(format!("{id}: {error}"));
        let zone = TimeZone::get(&self.time_zone).map_err(|error| invalid(&error))?;
        let position = Position::new(self.latitude, self.longitude).map_err(|error| invalid(&error))?;
        let weekly = hours::from_columns(self.weekdays, self.opens_minutes, self.closes_minutes)
            .map_err(|error| invalid(&error))?;
        let special_days = special_days::Columns {
            days: self.special_days,
            names: self.special_names,
            opens_minutes: self.special_opens,
            closes_minutes: self.special_closes,
        };
        let special_days = special_days
            .into_special_days()
            .map_err(|error| invalid(&error))?;
        let shifts =
            shifts::from_columns(self.shift_days, self.shift_baristas).map_err(|error| invalid(&error))?;
        let baristas = u32::try_from(self.baristas).unwrap_or(1);
        Ok(Store {
            id,
            staffing: Staffing::new(baristas, shifts, &zone),
            pause: pauses::from_columns(self.paused, &self.pause_reason, self.paused_until),
            position,
            zone,
            hours: OpeningHours { weekly, special_days },
            company_id: self.company_id,
            company_name: self.company_name,
            menu_version: self.menu_version,
            name: self.name,
            street: self.street,
            city: self.city,
            region: self.region,
            postcode: self.postcode,
            phone: self.phone,
            photo_url: self.photo_url,
            tax_rate_ppm: self.tax_rate_ppm,
            curbside: self.curbside,
            favorite: self.favorite,
        })
    }
}

/// Selects snapshots by a condition. The queries share one list of columns, and each is checked at compile time.
macro_rules! select_snapshots {
    ($condition:tt, $($argument:expr),*) => {
        sqlx::query_as!(
            Row,
            r#"SELECT s.store_id AS "store_id: StoreId", company_id AS "company_id: CompanyId", c.name AS company_name,
                      c.menu_version, s.name, street, city, region, postcode, phone, photo_url, latitude, longitude,
                      time_zone,
                      tax_rate_ppm, curbside, baristas, paused, pause_reason,
                      paused_until AS "paused_until: jiff_sqlx::Timestamp",
                      EXISTS (SELECT FROM favorites f WHERE f.consumer_id = $2 AND f.store_id = s.store_id)
                        AS "favorite!",
                      special_days, special_names, special_opens AS "special_opens: Vec<Option<i16>>",
                      special_closes AS "special_closes: Vec<Option<i16>>", shift_days, shift_baristas,
                      weekdays, opens_minutes, closes_minutes, slots, used_seconds, subjects, subject_ids,
                      coalesce((SELECT version FROM store_schedule_versions v WHERE v.store_id = s.store_id), 0)
                        AS "schedule_version!"
               FROM stores s JOIN companies c USING (company_id)
               CROSS JOIN LATERAL (
                   SELECT array_agg(weekday) AS weekdays, array_agg(opens_minute) AS opens_minutes,
                          array_agg(closes_minute) AS closes_minutes
                   FROM store_hours h WHERE h.store_id = s.store_id) AS hours
               CROSS JOIN LATERAL (
                   SELECT array_agg(day::text) AS special_days, array_agg(d.name) AS special_names,
                          array_agg(opens_minute) AS special_opens, array_agg(closes_minute) AS special_closes
                   FROM store_special_days d LEFT JOIN store_special_openings USING (store_id, day)
                   WHERE d.store_id = s.store_id) AS special
               CROSS JOIN LATERAL (
                   SELECT array_agg(day::text) AS shift_days, array_agg(h.baristas) AS shift_baristas
                   FROM store_shifts h WHERE h.store_id = s.store_id) AS shifts
               CROSS JOIN LATERAL (
                   SELECT array_agg(slot) AS slots, array_agg(l.used_seconds) AS used_seconds
                   FROM capacity_slots l WHERE l.store_id = s.store_id AND slot BETWEEN $3 AND $4) AS load
               CROSS JOIN LATERAL (
                   SELECT array_agg(subject) AS subjects, array_agg(subject_id) AS subject_ids
                   FROM sold_out o WHERE o.store_id = s.store_id) AS unavailable "# + $condition,
            $($argument),*
        )
    };
}

/// Returns the stores in the order of `ids`, without unknown ones. `slots` selects the load that is read.
///
/// # Errors
/// [`InternalError`] if a stored value is invalid.
pub async fn by_ids(
    conn: &mut PgConnection,
    ids: &[StoreId],
    consumer_id: Option<ConsumerId>,
    slots: RangeInclusive<i64>,
) -> Result<Vec<StoreSnapshot>, InternalError> {
    let rows = select_snapshots!(
        "WHERE s.store_id = ANY($1)",
        ids as &[StoreId],
        consumer_id as Option<ConsumerId>,
        slots.start(),
        slots.end()
    );
    let mut rows: HashMap<StoreId, Row> = rows
        .fetch_all(conn)
        .await?
        .into_iter()
        .map(|row| (row.store_id, row))
        .collect();
    ids.iter()
        .filter_map(|id| rows.remove(id))
        .map(Row::into_snapshot)
        .collect()
}

/// Returns one store. This is not a call of [`by_ids`], because PostgreSQL replans a query with a list for each call.
///
/// # Errors
/// [`InternalError`] if a stored value is invalid.
pub async fn by_id(
    conn: &mut PgConnection,
    id: StoreId,
    consumer_id: Option<ConsumerId>,
    slots: RangeInclusive<i64>,
) -> Result<Option<StoreSnapshot>, InternalError> {
    let row = select_snapshots!(
        "WHERE s.store_id = $1",
        id as StoreId,
        consumer_id as Option<ConsumerId>,
        slots.start(),
        slots.end()
    );
    row.fetch_optional(conn)
        .await?
        .map(Row::into_snapshot)
        .transpose()
}

/// Locks the row of a store until the transaction ends. Returns whether the store exists. Rows that refer to the store can be inserted:
/// reservations insert slots after they locked the version of the schedule.
pub(crate) async fn lock(tx: &mut PgConnection, id: StoreId) -> Result<bool, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT FROM stores WHERE store_id = $1 FOR NO KEY UPDATE",
        id as StoreId
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.is_some())
}

/// Increments the version of a store, and returns it.
pub(crate) async fn increment_version(tx: &mut PgConnection, id: StoreId) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE stores SET version = version + 1 WHERE store_id = $1 RETURNING version",
        id as StoreId,
    )
    .fetch_one(tx)
    .await
}

pub(crate) async fn find_name(conn: &mut PgConnection, id: StoreId) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("SELECT name FROM stores WHERE store_id = $1", id as StoreId)
        .fetch_optional(conn)
        .await
}

/// Returns the company of a store and the version of the company's menu.
pub(crate) async fn find_company(
    conn: &mut PgConnection,
    id: StoreId,
) -> Result<Option<(CompanyId, i64)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT company_id AS "company_id: CompanyId", menu_version
           FROM stores JOIN companies USING (company_id) WHERE store_id = $1"#,
        id as StoreId,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.company_id, row.menu_version)))
}
