//! Menus in memory. A menu is the same for all stores of a company until its version moves on.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use kit::InternalError;
use sqlx::PgConnection;
use types::CompanyId;

use crate::{db, domain::menu::Menu};

/// The menus that were asked for, each at one version.
#[derive(Debug, Default)]
pub struct Menus(RwLock<HashMap<CompanyId, (i64, Arc<Menu>)>>);

impl Menus {
    /// A company's menu at the version that the caller has read, or a later one.
    ///
    /// # Errors
    /// The database's.
    pub async fn of(
        &self,
        conn: &mut PgConnection,
        company: CompanyId,
        version: i64,
    ) -> Result<Arc<Menu>, InternalError> {
        if let Some((known, menu)) = self
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&company)
            && *known == version
        {
            return Ok(Arc::clone(menu));
        }
        let menu = Arc::new(db::menu::of(conn, company).await?);
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(company, (version, Arc::clone(&menu)));
        Ok(menu)
    }
}
