//! Writes of stores.

use std::collections::HashMap;

use sqlx::PgConnection;
use types::{CompanyId, StoreId};

use crate::domain::{company::Company, csv_import::NewStore, photo::PhotoChange};

/// A store that was inserted or updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenStore {
    pub(crate) id: StoreId,
    pub(crate) is_new: bool,
}

/// Returns the numbers that belong to stores, with the companies of these stores.
pub(crate) async fn find_companies(
    conn: &mut PgConnection,
    numbers: &[&str],
) -> Result<HashMap<String, Company>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT store_number, company_id AS "company_id: CompanyId", companies.name
           FROM stores JOIN companies USING (company_id) WHERE store_number = ANY ($1)"#,
        numbers as &[&str],
    )
    .fetch_all(conn)
    .await?;
    let companies = rows.into_iter().map(|row| {
        let company = Company {
            id: row.company_id,
            name: row.name,
        };
        (row.store_number, company)
    });
    Ok(companies.collect())
}

/// Inserts stores, and updates those of the same company with an existing number. Returns the stores that were inserted or changed.
pub(crate) async fn upsert(
    tx: &mut PgConnection,
    stores: &[(StoreId, CompanyId, &NewStore)],
) -> Result<Vec<WrittenStore>, sqlx::Error> {
    let ids: Vec<StoreId> = stores.iter().map(|store| store.0).collect();
    let companies: Vec<CompanyId> = stores.iter().map(|store| store.1).collect();
    let texts = |text: fn(&NewStore) -> &String| -> Vec<String> {
        stores.iter().map(|store| text(store.2).clone()).collect()
    };
    let latitudes: Vec<f64> = stores.iter().map(|store| store.2.position.latitude()).collect();
    let longitudes: Vec<f64> = stores.iter().map(|store| store.2.position.longitude()).collect();
    let tax_rates: Vec<Option<i64>> = stores.iter().map(|store| store.2.tax_rate_ppm).collect();
    let mean_tax_rates: Vec<i64> = stores.iter().map(|store| store.2.mean_tax_rate_ppm).collect();
    let curbside: Vec<Option<bool>> = stores.iter().map(|store| store.2.curbside).collect();
    let baristas: Vec<i32> = stores
        .iter()
        .map(|store| i32::try_from(store.2.baristas).unwrap_or(i32::MAX))
        .collect();
    let photos: Vec<Option<&str>> = stores.iter().map(|store| store.2.photo.url()).collect();
    let keeps_photo: Vec<bool> = stores
        .iter()
        .map(|store| store.2.photo == PhotoChange::Keep)
        .collect();
    sqlx::query_as!(
        WrittenStore,
        r#"INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone,
                               latitude, longitude, time_zone, tax_rate_ppm, curbside, baristas, photo_url, search_text)
           SELECT store.id, store.company_id, store.number, store.name, store.street, store.city, store.region,
                  store.postcode, store.phone, store.latitude, store.longitude, store.time_zone,
                  coalesce(store.tax_rate_ppm, CASE WHEN existing.region = store.region THEN existing.tax_rate_ppm END,
                           store.mean_tax_rate_ppm),
                  coalesce(store.curbside, existing.curbside, false), store.baristas,
                  CASE WHEN store.keeps_photo THEN existing.photo_url ELSE store.photo_url END,
                  lower(unaccent(concat_ws(' ', companies.name, store.name, store.street, store.city, store.region,
                                           left(store.postcode, 5))))
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::double precision[], $11::double precision[], $12::text[], $13::bigint[],
                       $14::boolean[], $15::integer[], $16::text[], $17::boolean[], $18::bigint[])
                AS store (id, company_id, number, name, street, city, region, postcode, phone, latitude, longitude,
                          time_zone, tax_rate_ppm, curbside, baristas, photo_url, keeps_photo, mean_tax_rate_ppm)
           JOIN companies ON companies.company_id = store.company_id
           LEFT JOIN stores AS existing ON existing.store_number = store.number
           ON CONFLICT ON CONSTRAINT stores_number_unique DO UPDATE
           SET name = excluded.name, street = excluded.street, city = excluded.city,
               region = excluded.region, postcode = excluded.postcode, phone = excluded.phone,
               latitude = excluded.latitude, longitude = excluded.longitude, time_zone = excluded.time_zone,
               tax_rate_ppm = excluded.tax_rate_ppm, curbside = excluded.curbside,
               photo_url = excluded.photo_url, search_text = excluded.search_text, version = stores.version + 1
           WHERE stores.company_id = excluded.company_id
             AND (stores.name, stores.street, stores.city, stores.region, stores.postcode,
                  stores.phone, stores.latitude, stores.longitude, stores.time_zone, stores.tax_rate_ppm,
                  stores.curbside, stores.photo_url, stores.search_text)
             IS DISTINCT FROM
                 (excluded.name, excluded.street, excluded.city, excluded.region,
                  excluded.postcode, excluded.phone, excluded.latitude, excluded.longitude, excluded.time_zone,
                  excluded.tax_rate_ppm, excluded.curbside, excluded.photo_url, excluded.search_text)
           RETURNING store_id AS "id: StoreId", xmax = 0 AS "is_new!""#,
        &ids as &[StoreId],
        &companies as &[CompanyId],
        &texts(|store| &store.number),
        &texts(|store| &store.name),
        &texts(|store| &store.street),
        &texts(|store| &store.city),
        &texts(|store| &store.region),
        &texts(|store| &store.postcode),
        &texts(|store| &store.phone),
        &latitudes,
        &longitudes,
        &texts(|store| &store.time_zone),
        &tax_rates as &[Option<i64>],
        &curbside as &[Option<bool>],
        &baristas,
        &photos as &[Option<&str>],
        &keeps_photo,
        &mean_tax_rates,
    )
    .fetch_all(tx)
    .await
}
