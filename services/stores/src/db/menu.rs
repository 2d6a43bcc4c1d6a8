//! Reads the menu of a company in a fixed number of queries.

use std::collections::HashMap;

use kit::InternalError;
use sqlx::PgConnection;
use types::{CategoryId, ChoiceId, CompanyId, ItemId, ModificationId, Money, SizeId};

use crate::domain::menu::{
    Category, Choice, ChoicePrice, CupSize, Item, ItemKind, ItemModification, Menu, Modification, Size,
};

pub(crate) async fn find(conn: &mut PgConnection, company_id: CompanyId) -> Result<Menu, InternalError> {
    let categories = sqlx::query_as!(
        Category,
        r#"SELECT category_id AS "id: CategoryId", name FROM categories WHERE company_id = $1 ORDER BY position"#,
        company_id as CompanyId,
    )
    .fetch_all(&mut *conn)
    .await?;
    let items = items(conn, company_id).await?;
    let modifications = modifications(conn, company_id).await?;
    Ok(Menu::new(categories, items, modifications))
}

async fn items(conn: &mut PgConnection, company_id: CompanyId) -> Result<Vec<Item>, InternalError> {
    let mut sizes = sizes(conn, company_id).await?;
    let mut modifications = item_modifications(conn, company_id).await?;
    let rows = sqlx::query!(
        r#"SELECT item_id AS "id: ItemId", category_id AS "category_id: CategoryId", i.name, description, kind,
                  art::text AS "art!", allergens, make_seconds
           FROM items i JOIN categories c USING (category_id)
           WHERE company_id = $1 ORDER BY c.position, i.position"#,
        company_id as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Item {
                kind: parse_item_kind(&row.kind)?,
                sizes: sizes.remove(&row.id).unwrap_or_default(),
                modifications: modifications.remove(&row.id).unwrap_or_default(),
                id: row.id,
                category_id: row.category_id,
                name: row.name,
                description: row.description,
                art: row.art,
                allergens: row.allergens,
                make_seconds: to_count(row.make_seconds),
            })
        })
        .collect()
}

async fn sizes(
    conn: &mut PgConnection,
    company_id: CompanyId,
) -> Result<HashMap<ItemId, Vec<Size>>, InternalError> {
    let rows = sqlx::query!(
        r#"SELECT item_id AS "item_id: ItemId", size_id AS "id: SizeId", cup_size, s.name, ounces, price_cents, calories,
                  caffeine_mg, is_default
           FROM sizes s JOIN items USING (item_id) JOIN categories USING (category_id)
           WHERE company_id = $1"#,
        company_id as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let mut sizes: HashMap<ItemId, Vec<Size>> = HashMap::new();
    for row in rows {
        sizes.entry(row.item_id).or_default().push(Size {
            id: row.id,
            cup_size: parse_cup_size(&row.cup_size)?,
            name: row.name,
            ounces: to_count(row.ounces),
            price: Money::usd(row.price_cents),
            calories: to_count(row.calories),
            caffeine_mg: to_count(row.caffeine_mg),
            is_default: row.is_default,
        });
    }
    for sizes in sizes.values_mut() {
        sizes.sort_by_key(|size| size.cup_size);
    }
    Ok(sizes)
}

async fn item_modifications(
    conn: &mut PgConnection,
    company_id: CompanyId,
) -> Result<HashMap<ItemId, Vec<ItemModification>>, InternalError> {
    let defaults = sqlx::query!(
        r#"SELECT item_id AS "item_id: ItemId", modification_id AS "modification_id: ModificationId",
                  choice_id AS "choice_id: ChoiceId", quantity
           FROM item_defaults JOIN choices USING (choice_id) JOIN modifications USING (modification_id)
           WHERE company_id = $1 ORDER BY position"#,
        company_id as CompanyId,
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut defaults_by_key: HashMap<(ItemId, ModificationId), Vec<(ChoiceId, u32)>> = HashMap::new();
    for row in defaults {
        defaults_by_key
            .entry((row.item_id, row.modification_id))
            .or_default()
            .push((row.choice_id, to_count(row.quantity)));
    }
    let rows = sqlx::query!(
        r#"SELECT item_id AS "item_id: ItemId", modification_id AS "modification_id: ModificationId", min_choices,
                  max_choices, included
           FROM item_modifications JOIN modifications USING (modification_id)
           WHERE company_id = $1 ORDER BY item_id, position"#,
        company_id as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let mut modifications: HashMap<ItemId, Vec<ItemModification>> = HashMap::new();
    for row in rows {
        modifications
            .entry(row.item_id)
            .or_default()
            .push(ItemModification {
                modification_id: row.modification_id,
                min: to_count(row.min_choices),
                max: to_count(row.max_choices),
                included: to_count(row.included),
                defaults: defaults_by_key
                    .remove(&(row.item_id, row.modification_id))
                    .unwrap_or_default(),
            });
    }
    Ok(modifications)
}

async fn modifications(
    conn: &mut PgConnection,
    company_id: CompanyId,
) -> Result<Vec<Modification>, InternalError> {
    let mut choices = choices(conn, company_id).await?;
    let rows = sqlx::query!(
        r#"SELECT modification_id AS "id: ModificationId", name FROM modifications WHERE company_id = $1"#,
        company_id as CompanyId,
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
    company_id: CompanyId,
) -> Result<HashMap<ModificationId, Vec<Choice>>, InternalError> {
    let prices = sqlx::query!(
        r#"SELECT choice_id AS "choice_id: ChoiceId", cup_size, price_cents, calories
           FROM choice_prices JOIN choices USING (choice_id) JOIN modifications USING (modification_id)
           WHERE company_id = $1"#,
        company_id as CompanyId,
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut prices_by_choice: HashMap<ChoiceId, HashMap<CupSize, ChoicePrice>> = HashMap::new();
    for row in prices {
        let price = ChoicePrice {
            price: Money::usd(row.price_cents),
            calories: row.calories,
        };
        prices_by_choice
            .entry(row.choice_id)
            .or_default()
            .insert(parse_cup_size(&row.cup_size)?, price);
    }
    let rows = sqlx::query!(
        r#"SELECT modification_id AS "modification_id: ModificationId", choice_id AS "id: ChoiceId", c.name, max_quantity,
                  allergens, art_key
           FROM choices c JOIN modifications USING (modification_id)
           WHERE company_id = $1 ORDER BY modification_id, position"#,
        company_id as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let mut choices: HashMap<ModificationId, Vec<Choice>> = HashMap::new();
    for row in rows {
        choices.entry(row.modification_id).or_default().push(Choice {
            prices: prices_by_choice.remove(&row.id).unwrap_or_default(),
            id: row.id,
            name: row.name,
            max_quantity: to_count(row.max_quantity),
            allergens: row.allergens,
            art_key: row.art_key,
        });
    }
    Ok(choices)
}

/// The constraints of the columns exclude negative values.
fn to_count(value: i32) -> u32 {
    u32::try_from(value).unwrap_or_default()
}

fn parse_cup_size(code: &str) -> Result<CupSize, InternalError> {
    CupSize::from_code(code)
        .ok_or_else(|| InternalError::invariant_violated(format!("unknown cup size {code}")))
}

fn parse_item_kind(code: &str) -> Result<ItemKind, InternalError> {
    ItemKind::from_code(code)
        .ok_or_else(|| InternalError::invariant_violated(format!("unknown item kind {code}")))
}
