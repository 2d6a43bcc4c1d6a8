//! Writing a company's menu, whole.

use sqlx::PgConnection;
use types::{CategoryId, ChoiceId, CompanyId, ItemId, ModificationId, SizeId};

use crate::domain::menu::{Item, Menu};

/// Writes a menu in place of the company's earlier one, and counts its version up. The caller holds the company's row.
///
/// # Errors
/// The database's; a menu that breaks its rules (two sizes of one cup, two defaults, amounts out of range).
pub async fn replace(
    tx: &mut PgConnection,
    company: CompanyId,
    menu: &Menu,
    digest: &[u8; 32],
) -> Result<i64, sqlx::Error> {
    sqlx::query!(
        "DELETE FROM categories WHERE company_id = $1",
        company as CompanyId
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM modifications WHERE company_id = $1",
        company as CompanyId
    )
    .execute(&mut *tx)
    .await?;
    categories(tx, company, menu).await?;
    modifications(tx, company, menu).await?;
    choices(tx, menu).await?;
    choice_prices(tx, menu).await?;
    items(tx, menu).await?;
    sizes(tx, menu).await?;
    groups(tx, menu).await?;
    defaults(tx, menu).await?;
    sqlx::query_scalar!(
        "UPDATE companies SET menu_version = menu_version + 1, menu_digest = $2 WHERE company_id = $1
         RETURNING menu_version",
        company as CompanyId,
        digest.as_slice(),
    )
    .fetch_one(tx)
    .await
}

async fn categories(tx: &mut PgConnection, company: CompanyId, menu: &Menu) -> Result<(), sqlx::Error> {
    let ids: Vec<CategoryId> = menu.categories().iter().map(|category| category.id).collect();
    let names: Vec<String> = menu
        .categories()
        .iter()
        .map(|category| category.name.clone())
        .collect();
    sqlx::query!(
        "INSERT INTO categories (category_id, company_id, name, position)
         SELECT id, $1, name, position
         FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS category (id, name, position)",
        company as CompanyId,
        &ids as &[CategoryId],
        &names,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn modifications(tx: &mut PgConnection, company: CompanyId, menu: &Menu) -> Result<(), sqlx::Error> {
    let (ids, names): (Vec<ModificationId>, Vec<String>) = menu
        .modifications()
        .map(|modification| (modification.id, modification.name.clone()))
        .unzip();
    sqlx::query!(
        "INSERT INTO modifications (modification_id, company_id, name)
         SELECT id, $1, name FROM unnest($2::uuid[], $3::text[]) AS modification (id, name)",
        company as CompanyId,
        &ids as &[ModificationId],
        &names,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn choices(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut ids, mut owners, mut names, mut most, mut allergens, mut art, mut positions) =
        (vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
    for modification in menu.modifications() {
        for (position, choice) in modification.choices.iter().enumerate() {
            ids.push(choice.id);
            owners.push(modification.id);
            names.push(choice.name.clone());
            most.push(number(choice.max_quantity));
            allergens.push(choice.allergens.join(","));
            art.push(choice.art_key.clone());
            positions.push(place(position));
        }
    }
    sqlx::query!(
        "INSERT INTO choices (choice_id, modification_id, name, max_quantity, allergens, art_key, position)
         SELECT id, owner, name, most, string_to_array(allergens, ','), art, position
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::integer[])
              AS choice (id, owner, name, most, allergens, art, position)",
        &ids as &[ChoiceId],
        &owners as &[ModificationId],
        &names,
        &most,
        &allergens,
        &art,
        &positions,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn choice_prices(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut ids, mut scales, mut prices, mut calories) = (vec![], vec![], vec![], vec![]);
    for choice in menu
        .modifications()
        .flat_map(|modification| &modification.choices)
    {
        for (scale, extra) in &choice.by_scale {
            ids.push(choice.id);
            scales.push(scale.code().to_owned());
            prices.push(extra.price.minor_units());
            calories.push(extra.calories);
        }
    }
    sqlx::query!(
        "INSERT INTO choice_prices (choice_id, scale, price_cents, calories)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::integer[])",
        &ids as &[ChoiceId],
        &scales,
        &prices,
        &calories,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn items(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let each = |text: fn(&Item) -> String| -> Vec<String> { menu.items().iter().map(text).collect() };
    let ids: Vec<ItemId> = menu.items().iter().map(|item| item.id).collect();
    let categories: Vec<CategoryId> = menu.items().iter().map(|item| item.category).collect();
    let seconds: Vec<i32> = menu
        .items()
        .iter()
        .map(|item| number(item.make_seconds))
        .collect();
    sqlx::query!(
        "INSERT INTO items (item_id, category_id, name, description, kind, art, allergens, make_seconds, position)
         SELECT id, category, name, description, kind, art::jsonb, string_to_array(allergens, ','), seconds, position
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[])
              WITH ORDINALITY AS item (id, category, name, description, kind, art, allergens, seconds, position)",
        &ids as &[ItemId],
        &categories as &[CategoryId],
        &each(|item| item.name.clone()),
        &each(|item| item.description.clone()),
        &each(|item| item.kind.code().to_owned()),
        &each(|item| item.art.clone()),
        &each(|item| item.allergens.join(",")),
        &seconds,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn sizes(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut ids, mut owners, mut scales, mut names) = (vec![], vec![], vec![], vec![]);
    let (mut ounces, mut prices, mut calories, mut caffeine, mut default) =
        (vec![], vec![], vec![], vec![], vec![]);
    for item in menu.items() {
        for size in &item.sizes {
            ids.push(size.id);
            owners.push(item.id);
            scales.push(size.scale.code().to_owned());
            names.push(size.name.clone());
            ounces.push(number(size.ounces));
            prices.push(size.price.minor_units());
            calories.push(number(size.calories));
            caffeine.push(number(size.caffeine_mg));
            default.push(size.is_default);
        }
    }
    sqlx::query!(
        "INSERT INTO sizes (size_id, item_id, scale, name, ounces, price_cents, calories, caffeine_mg, is_default)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::bigint[],
                              $7::integer[], $8::integer[], $9::boolean[])",
        &ids as &[SizeId],
        &owners as &[ItemId],
        &scales,
        &names,
        &ounces,
        &prices,
        &calories,
        &caffeine,
        &default,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn groups(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut items, mut modifications, mut positions) = (vec![], vec![], vec![]);
    let (mut min, mut max, mut included) = (vec![], vec![], vec![]);
    for item in menu.items() {
        for (position, group) in item.groups.iter().enumerate() {
            items.push(item.id);
            modifications.push(group.modification);
            positions.push(place(position));
            min.push(number(group.min));
            max.push(number(group.max));
            included.push(number(group.included));
        }
    }
    sqlx::query!(
        "INSERT INTO item_modifications (item_id, modification_id, position, min_choices, max_choices, included)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])",
        &items as &[ItemId],
        &modifications as &[ModificationId],
        &positions,
        &min,
        &max,
        &included,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn defaults(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut items, mut choices, mut quantities) = (vec![], vec![], vec![]);
    for item in menu.items() {
        for (choice, quantity) in item.groups.iter().flat_map(|group| &group.defaults) {
            items.push(item.id);
            choices.push(*choice);
            quantities.push(number(*quantity));
        }
    }
    sqlx::query!(
        "INSERT INTO item_defaults (item_id, choice_id, quantity)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[])",
        &items as &[ItemId],
        &choices as &[ChoiceId],
        &quantities,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Too large for the column is too large for its constraint, which then says so.
fn number(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

fn place(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}
