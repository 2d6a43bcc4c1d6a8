//! Imports companies and their menus from two JSON files.

mod build;
mod source;

use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use types::CompanyId;

use self::source::{CompanySource, MenuSource};
use crate::{Stores, convert, db, domain::stable_id, output::print_line};

/// Companies and the menu that they share.
pub(super) struct MenuFiles {
    menu: MenuSource,
    companies: Vec<CompanySource>,
    /// Hash of both files.
    digest: [u8; 32],
}

impl MenuFiles {
    /// # Errors
    /// A file has a syntax error or an unknown field (the message names its line), or two companies have one key.
    pub(super) fn parse(menu: &str, companies: &str) -> anyhow::Result<Self> {
        let companies_source: Vec<CompanySource> = serde_json::from_str(companies).context("companies")?;
        build::ensure_unique("company", companies_source.iter().map(|company| &company.key))?;
        Ok(Self {
            menu: serde_json::from_str(menu).context("menu")?,
            companies: companies_source,
            digest: Sha256::digest([menu, companies].concat()).into(),
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct ImportedCompany {
    pub id: CompanyId,
    pub name: String,
    /// Absent if the menu is that of the last import.
    pub item_count: Option<usize>,
}

/// Imports the files in one transaction and prints the companies.
///
/// # Errors
/// As [`import_menus`]; a file cannot be read.
pub(crate) async fn import_files(cx: &Stores, menu: &Path, companies: &Path) -> anyhow::Result<()> {
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| path.display().to_string());
    for company in import_menus(cx, &read(menu)?, &read(companies)?).await? {
        let items = company
            .item_count
            .map_or_else(|| "unchanged".to_owned(), |count| format!("{count} items"));
        print_line(format_args!("{}  {}  {items}", company.id, company.name))?;
    }
    Ok(())
}

/// Imports companies and their menus in one transaction. Ids are derived from keys, so that an item keeps its id.
///
/// # Errors
/// - A file has a syntax error, an unknown field, an unknown key or two equal keys.
/// - The database rejects a value, for example a negative price.
///
/// Nothing is imported then.
pub async fn import_menus(cx: &Stores, menu: &str, companies: &str) -> anyhow::Result<Vec<ImportedCompany>> {
    let files = MenuFiles::parse(menu, companies)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let imported = write(cx, &mut tx, &files).await?;
    tx.commit().await?;
    Ok(imported)
}

/// Writes companies and menus in the caller's transaction.
pub(super) async fn write(
    cx: &Stores,
    tx: &mut PgConnection,
    files: &MenuFiles,
) -> anyhow::Result<Vec<ImportedCompany>> {
    let mut imported = Vec::new();
    for company in &files.companies {
        let written = write_company(cx, tx, files, company).await;
        imported.push(written.with_context(|| company.key.clone())?);
    }
    Ok(imported)
}

async fn write_company(
    cx: &Stores,
    tx: &mut PgConnection,
    files: &MenuFiles,
    company: &CompanySource,
) -> anyhow::Result<ImportedCompany> {
    let id = stable_id::company_id(&company.key);
    let menu = build::menu(&files.menu, company)?;
    let current_digest = db::companies::upsert(tx, id, &company.name, &company.description).await?;
    let is_unchanged = current_digest.as_deref() == Some(files.digest.as_slice());
    if !is_unchanged {
        let version = db::menu_write::replace(tx, id, &menu, &files.digest).await?;
        let event = convert::event::menu_changed(id, version, cx.clock.now());
        kit::outbox::append(tx, event).await?;
    }
    Ok(ImportedCompany {
        id,
        name: company.name.clone(),
        item_count: (!is_unchanged).then(|| menu.items().len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::menu::ItemKind;

    const MENU: &str = include_str!("../../../../../deploy/seed/menu.json");
    const COMPANIES: &str = include_str!("../../../../../deploy/seed/companies.json");

    #[test]
    fn the_examples_describe_three_complete_menus() {
        let files = MenuFiles::parse(MENU, COMPANIES).unwrap();
        assert_eq!(files.companies.len(), 3);
        for company in &files.companies {
            let menu = build::menu(&files.menu, company).unwrap();
            let count = |kind| menu.items().iter().filter(|item| item.kind == kind).count();
            assert!(
                count(ItemKind::Drink) >= 58 && count(ItemKind::Food) >= 25,
                "{}",
                company.key
            );
            assert!(
                menu.items()
                    .iter()
                    .all(|item| item.default_size().is_some_and(|size| size.is_default))
            );
            assert!(
                menu.categories()
                    .iter()
                    .all(|category| menu.items_in(category.id).count() > 0)
            );
        }
    }

    #[test]
    fn two_items_cannot_have_one_key() {
        let menu = MENU.replacen(r#""key": "iced-latte""#, r#""key": "latte""#, 1);
        assert_ne!(menu, MENU);
        let files = MenuFiles::parse(&menu, COMPANIES).unwrap();
        let error = build::menu(&files.menu, &files.companies[0]).unwrap_err();
        assert_eq!(error.to_string(), "two of the kind item have the key latte");
    }

    #[test]
    fn two_companies_cannot_have_one_key() {
        let (first, second) = ("juniper", "harbor");
        let companies = COMPANIES.replace(&format!("\"{second}\""), &format!("\"{first}\""));
        assert_ne!(companies, COMPANIES);
        let Err(error) = MenuFiles::parse(MENU, &companies) else {
            panic!("two companies have the key {first}");
        };
        assert_eq!(
            error.to_string(),
            format!("two of the kind company have the key {first}")
        );
    }
}
