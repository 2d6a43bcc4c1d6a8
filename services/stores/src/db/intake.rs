//! Companies and stores on their way in.

use sqlx::PgConnection;
use types::{CompanyId, StoreId};

use crate::domain::intake::NewStore;

/// A store that a batch has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Which.
    pub id: StoreId,
    /// Whether there was none of its number before.
    pub is_new: bool,
}

/// A company as writing its menu needs it.
#[derive(Debug, Clone)]
pub struct Company {
    /// What its menu was last written from.
    pub menu_digest: Option<Vec<u8>>,
}

/// Makes sure that there is a company of this name, and holds its row until the transaction ends.
///
/// # Errors
/// The database's.
pub async fn company(tx: &mut PgConnection, id: CompanyId, name: &str) -> Result<Company, sqlx::Error> {
    sqlx::query_as!(
        Company,
        "INSERT INTO companies (company_id, name) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT companies_pkey DO UPDATE SET name = excluded.name RETURNING menu_digest",
        id as CompanyId,
        name,
    )
    .fetch_one(tx)
    .await
}

/// All companies, always in the same order.
///
/// # Errors
/// The database's.
pub async fn companies(conn: &mut PgConnection) -> Result<Vec<CompanyId>, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT company_id AS "id: CompanyId" FROM companies ORDER BY company_id"#)
        .fetch_all(conn)
        .await
}

/// Writes stores; one that is known by its number is brought up to date, and left alone if nothing differs. Answers
/// with those that were written.
///
/// # Errors
/// The database's.
pub async fn stores(
    tx: &mut PgConnection,
    stores: &[(StoreId, CompanyId, &NewStore)],
) -> Result<Vec<Written>, sqlx::Error> {
    let ids: Vec<StoreId> = stores.iter().map(|store| store.0).collect();
    let companies: Vec<CompanyId> = stores.iter().map(|store| store.1).collect();
    let each = |text: fn(&NewStore) -> &String| -> Vec<String> {
        stores.iter().map(|store| text(store.2).clone()).collect()
    };
    let latitudes: Vec<f64> = stores.iter().map(|store| store.2.position.latitude()).collect();
    let longitudes: Vec<f64> = stores.iter().map(|store| store.2.position.longitude()).collect();
    let rates: Vec<i64> = stores.iter().map(|store| store.2.tax_rate_ppm).collect();
    let curbside: Vec<bool> = stores.iter().map(|store| store.2.curbside).collect();
    let baristas: Vec<i32> = stores
        .iter()
        .map(|store| i32::try_from(store.2.baristas).unwrap_or(i32::MAX))
        .collect();
    sqlx::query_as!(
        Written,
        r#"INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone,
                               latitude, longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
           SELECT store.*, lower(unaccent(concat_ws(' ', companies.name, store.name, street, city)))
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::double precision[], $11::double precision[], $12::text[], $13::bigint[],
                       $14::boolean[], $15::integer[])
                AS store (id, company_id, number, name, street, city, region, postcode, phone, latitude, longitude,
                          time_zone, tax_rate_ppm, curbside, baristas)
           JOIN companies USING (company_id)
           ON CONFLICT ON CONSTRAINT stores_number_unique DO UPDATE
           SET company_id = excluded.company_id, name = excluded.name, street = excluded.street, city = excluded.city,
               region = excluded.region, postcode = excluded.postcode, phone = excluded.phone,
               latitude = excluded.latitude, longitude = excluded.longitude, time_zone = excluded.time_zone,
               tax_rate_ppm = excluded.tax_rate_ppm, curbside = excluded.curbside, baristas = excluded.baristas,
               search_text = excluded.search_text, version = stores.version + 1
           WHERE (stores.company_id, stores.name, stores.street, stores.city, stores.region, stores.postcode,
                  stores.phone, stores.latitude, stores.longitude, stores.time_zone, stores.tax_rate_ppm,
                  stores.curbside, stores.baristas, stores.search_text)
             IS DISTINCT FROM
                 (excluded.company_id, excluded.name, excluded.street, excluded.city, excluded.region,
                  excluded.postcode, excluded.phone, excluded.latitude, excluded.longitude, excluded.time_zone,
                  excluded.tax_rate_ppm, excluded.curbside, excluded.baristas, excluded.search_text)
           RETURNING store_id AS "id: StoreId", xmax = 0 AS "is_new!""#,
        &ids as &[StoreId],
        &companies as &[CompanyId],
        &each(|store| &store.number),
        &each(|store| &store.name),
        &each(|store| &store.street),
        &each(|store| &store.city),
        &each(|store| &store.region),
        &each(|store| &store.postcode),
        &each(|store| &store.phone),
        &latitudes,
        &longitudes,
        &each(|store| &store.time_zone),
        &rates,
        &curbside,
        &baristas,
    )
    .fetch_all(tx)
    .await
}
