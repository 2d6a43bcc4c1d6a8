//! Landing pages.

use sqlx::PgConnection;

use super::promos::discount_rule;
use crate::domain::{
    catalog::CatalogLandingPage,
    landing_page::{LandingPage, LandingPagePromo},
};

pub async fn find(conn: &mut PgConnection, url_slug: &str) -> sqlx::Result<Option<LandingPage>> {
    let row = sqlx::query!(
        r#"SELECT url_slug, title, subtitle, picture, paragraphs, action_label, action_path, code AS "code?",
                  amount, rate_ppm, is_app_only AS "is_app_only?"
           FROM landing_pages LEFT JOIN promos ON promos.code = landing_pages.promo_code
           WHERE url_slug = $1"#,
        url_slug,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| LandingPage {
        promo: row.code.map(|code| LandingPagePromo {
            code,
            rule: discount_rule(row.amount, row.rate_ppm),
            is_app_only: row.is_app_only.unwrap_or_default(),
        }),
        url_slug: row.url_slug,
        title: row.title,
        subtitle: row.subtitle,
        picture: row.picture,
        paragraphs: row.paragraphs,
        action_label: row.action_label,
        action_path: row.action_path,
    }))
}

/// Inserts or replaces a page of the catalog and returns `true`. Returns `false` if the slug belongs to another catalog.
pub async fn upsert(
    conn: &mut PgConnection,
    catalog: &str,
    CatalogLandingPage { page, promo_code }: &CatalogLandingPage,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO landing_pages (url_slug, catalog, title, subtitle, picture, paragraphs, action_label, action_path,
                                    promo_code)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT ON CONSTRAINT landing_pages_pkey
         DO UPDATE SET title = excluded.title, subtitle = excluded.subtitle, picture = excluded.picture,
                       paragraphs = excluded.paragraphs, action_label = excluded.action_label,
                       action_path = excluded.action_path, promo_code = excluded.promo_code
         WHERE landing_pages.catalog = excluded.catalog",
        page.url_slug,
        catalog,
        page.title,
        page.subtitle,
        page.picture,
        &page.paragraphs,
        page.action_label,
        page.action_path,
        promo_code.as_deref(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the pages of the catalog that are not among these.
pub async fn delete_others(conn: &mut PgConnection, catalog: &str, url_slugs: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM landing_pages WHERE catalog = $1 AND NOT url_slug = ANY($2)",
        catalog,
        url_slugs,
    )
    .execute(conn)
    .await
    .map(drop)
}
