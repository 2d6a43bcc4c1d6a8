//! The built web app: its files, and its page for every route of the app.

mod accept;
pub(crate) mod api_docs;
mod app_routes;
mod files;
mod page;
mod page_template;
mod pages;
mod record_meta;
pub(crate) mod security_headers;
mod serve;
mod session_parameter;
pub(crate) mod site;

pub(crate) use serve::serve;
