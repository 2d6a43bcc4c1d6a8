//! `stores credentials`: the credentials with which the systems of stores sign in.

use std::io::{self, Write};

use clap::Subcommand;
use types::{CredentialId, StoreId};

use crate::{
    Stores,
    domain::credential::ListedCredential,
    ops::credentials::{list_credentials, revoke_credential},
};

#[derive(Debug, Subcommand)]
pub(crate) enum CredentialsCommand {
    /// List the credentials, without their secrets.
    List {
        /// Only those that give access to this store.
        #[arg(long)]
        store: Option<StoreId>,
    },
    /// Delete a credential. Gateways that know it accept it for up to a minute longer.
    Revoke { credential: CredentialId },
}

/// Runs the command.
///
/// # Errors
/// The credential does not exist, or the output cannot be written.
pub(crate) async fn run(cx: &Stores, command: CredentialsCommand) -> anyhow::Result<()> {
    match command {
        CredentialsCommand::List { store } => {
            print(&mut io::stdout(), &list_credentials(cx, store).await?)?;
        }
        CredentialsCommand::Revoke { credential } => revoke_credential(cx, credential).await?,
    }
    Ok(())
}

/// Writes one line for each credential, with fields separated by tabs.
fn print(out: &mut impl Write, credentials: &[ListedCredential]) -> io::Result<()> {
    writeln!(out, "id\tcreated at\tlabel\tstores")?;
    for listed in credentials {
        let credential = &listed.credential;
        let stores = if credential.all_stores {
            "all".to_owned()
        } else {
            let ids: Vec<String> = credential.store_ids.iter().map(StoreId::to_string).collect();
            ids.join(",")
        };
        writeln!(
            out,
            "{}\t{}\t{}\t{stores}",
            credential.id, listed.created_at, listed.label
        )?;
    }
    Ok(())
}
