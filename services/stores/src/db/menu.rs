//! A company's menu, read whole in a fixed number of queries.

use std::collections::HashMap;

use kit::InternalError;
use sqlx::PgConnection;
use types::{CategoryId, ChoiceId, CompanyId, ItemId, ModificationId, Money, SizeId};

use crate::domain::menu::{Category, Choice, Extra, Group, Item, Kind, Menu, Modification, Scale, Size};

/// The menu of a company.
///
/// # Errors
/// The database's.
pub async fn of(conn: &mut PgConnection, company: CompanyId) -> Result<Menu, InternalError> {
    let categories = sqlx::query_as!(
        Category,
        r#"SELECT category_id AS "id: CategoryId", name FROM categories WHERE company_id = $1 ORDER BY position"#,
        company as CompanyId,
    )
    .fetch_all(&mut *conn)
    .await?;
    let items = items(conn, company).await?;
    let modifications = modifications(conn, company).await?;
    Ok(Menu::new(categories, items, modifications))
}

async fn items(conn: &mut PgConnection, company: CompanyId) -> Result<Vec<Item>, InternalError> {
    let mut sizes = sizes(conn, company).await?;
    let mut groups = groups(conn, company).await?;
    let rows = sqlx::query!(
        r#"SELECT item_id AS "id: ItemId", category_id AS "category: CategoryId", i.name, description, kind,
                  art::text AS "art!", allergens, make_seconds
           FROM items i JOIN categories c USING (category_id)
           WHERE company_id = $1 ORDER BY c.position, i.position"#,
        company as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Item {
            sizes: sizes.remove(&row.id).unwrap_or_default(),
            groups: groups.remove(&row.id).unwrap_or_default(),
            id: row.id,
            category: row.category,
            name: row.name,
            description: row.description,
            kind: if row.kind == Kind::Food.code() {
                Kind::Food
            } else {
                Kind::Drink
            },
            art: row.art,
            allergens: row.allergens,
            make_seconds: count(row.make_seconds),
        })
        .collect())
}

async fn sizes(
    conn: &mut PgConnection,
    company: CompanyId,
) -> Result<HashMap<ItemId, Vec<Size>>, InternalError> {
    let rows = sqlx::query!(
        r#"SELECT item_id AS "item: ItemId", size_id AS "id: SizeId", scale, s.name, ounces, price_cents, calories,
                  caffeine_mg, is_default
           FROM sizes s JOIN items USING (item_id) JOIN categories USING (category_id)
           WHERE company_id = $1"#,
        company as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let mut sizes: HashMap<ItemId, Vec<Size>> = HashMap::new();
    for row in rows {
        sizes.entry(row.item).or_default().push(Size {
            id: row.id,
            scale: scale(&row.scale)?,
            name: row.name,
            ounces: count(row.ounces),
            price: Money::usd(row.price_cents),
            calories: count(row.calories),
            caffeine_mg: count(row.caffeine_mg),
            is_default: row.is_default,
        });
    }
    for sizes in sizes.values_mut() {
        sizes.sort_by_key(|size| size.scale);
    }
    Ok(sizes)
}

async fn groups(
    conn: &mut PgConnection,
    company: CompanyId,
) -> Result<HashMap<ItemId, Vec<Group>>, InternalError> {
    let defaults = sqlx::query!(
        r#"SELECT item_id AS "item: ItemId", modification_id AS "modification: ModificationId",
                  choice_id AS "choice: ChoiceId", quantity
           FROM item_defaults JOIN choices USING (choice_id) JOIN modifications USING (modification_id)
           WHERE company_id = $1 ORDER BY position"#,
        company as CompanyId,
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut by_group: HashMap<(ItemId, ModificationId), Vec<(ChoiceId, u32)>> = HashMap::new();
    for row in defaults {
        by_group
            .entry((row.item, row.modification))
            .or_default()
            .push((row.choice, count(row.quantity)));
    }
    let rows = sqlx::query!(
        r#"SELECT item_id AS "item: ItemId", modification_id AS "modification: ModificationId", min_choices,
                  max_choices, included
           FROM item_modifications JOIN modifications USING (modification_id)
           WHERE company_id = $1 ORDER BY item_id, position"#,
        company as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let mut groups: HashMap<ItemId, Vec<Group>> = HashMap::new();
    for row in rows {
        groups.entry(row.item).or_default().push(Group {
            modification: row.modification,
            min: count(row.min_choices),
            max: count(row.max_choices),
            included: count(row.included),
            defaults: by_group.remove(&(row.item, row.modification)).unwrap_or_default(),
        });
    }
    Ok(groups)
}

async fn modifications(
    conn: &mut PgConnection,
    company: CompanyId,
) -> Result<Vec<Modification>, InternalError> {
    let mut choices = choices(conn, company).await?;
    let rows = sqlx::query!(
        r#"SELECT modification_id AS "id: ModificationId", name FROM modifications WHERE company_id = $1"#,
        company as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Modification {
            choices: choices.remove(&row.id).unwrap_or_default(),
            id: row.id,
            name: row.name,
        })
        .collect())
}

async fn choices(
    conn: &mut PgConnection,
    company: CompanyId,
) -> Result<HashMap<ModificationId, Vec<Choice>>, InternalError> {
    let prices = sqlx::query!(
        r#"SELECT choice_id AS "choice: ChoiceId", scale, price_cents, calories
           FROM choice_prices JOIN choices USING (choice_id) JOIN modifications USING (modification_id)
           WHERE company_id = $1"#,
        company as CompanyId,
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut by_choice: HashMap<ChoiceId, HashMap<Scale, Extra>> = HashMap::new();
    for row in prices {
        let extra = Extra {
            price: Money::usd(row.price_cents),
            calories: row.calories,
        };
        by_choice
            .entry(row.choice)
            .or_default()
            .insert(scale(&row.scale)?, extra);
    }
    let rows = sqlx::query!(
        r#"SELECT modification_id AS "modification: ModificationId", choice_id AS "id: ChoiceId", c.name, max_quantity,
                  allergens, art_key
           FROM choices c JOIN modifications USING (modification_id)
           WHERE company_id = $1 ORDER BY modification_id, position"#,
        company as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let mut choices: HashMap<ModificationId, Vec<Choice>> = HashMap::new();
    for row in rows {
        choices.entry(row.modification).or_default().push(Choice {
            by_scale: by_choice.remove(&row.id).unwrap_or_default(),
            id: row.id,
            name: row.name,
            max_quantity: count(row.max_quantity),
            allergens: row.allergens,
            art_key: row.art_key,
        });
    }
    Ok(choices)
}

/// Counts are never negative: the schema sees to it.
fn count(value: i32) -> u32 {
    u32::try_from(value).unwrap_or_default()
}

fn scale(code: &str) -> Result<Scale, InternalError> {
    Scale::from_code(code).ok_or_else(|| InternalError::broken(format!("no such cup: {code}")))
}
