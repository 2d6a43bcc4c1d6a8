//! `stores webhooks`: the webhook subscriptions of companies.

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, Subcommand};
use jiff::{SignedDuration, Timestamp};
use types::{CompanyId, WebhookDeliveryId, WebhookSubscriptionId};

use crate::{
    Stores, db,
    db::webhook_deliveries::ReplaySelection,
    domain::{
        company,
        webhook::{DEFAULT_OVERLAP, EventKind, Subscription},
        webhook_secret::WebhookSecret,
    },
    ops::{
        add_webhook::add_webhook,
        change_webhook::{
            list_webhooks, remove_webhook, replay_webhooks, rotate_webhook_secret, set_webhook_paused,
        },
        encrypt_webhook_secrets::encrypt_webhook_secrets,
    },
    output::print_line,
};

/// 30 days.
const MAX_OVERLAP_HOURS: i64 = 30 * 24;

/// Webhook subscriptions of a company, given by its id or name.
#[derive(Debug, Subcommand)]
pub(crate) enum WebhooksCommand {
    /// Subscribe the company and print the id and the secret of the subscription. The secret cannot be shown again.
    Add {
        company: String,
        url: String,
        /// Events, for example `order.ready`. All of them if absent.
        #[arg(long = "event")]
        events: Vec<EventKind>,
    },
    /// List the subscriptions of the company.
    List { company: String },
    /// Print a new secret. Deliveries are signed with both secrets during the overlap, of at most 30 days.
    Rotate {
        company: String,
        subscription: WebhookSubscriptionId,
        #[arg(
            long,
            default_value_t = DEFAULT_OVERLAP.as_hours(),
            value_parser = clap::value_parser!(i64).range(0..=MAX_OVERLAP_HOURS)
        )]
        overlap_hours: i64,
    },
    /// Stop deliveries until `resume`. Events that occur during the pause are delivered afterwards.
    Pause {
        company: String,
        subscription: WebhookSubscriptionId,
    },
    /// Continue deliveries.
    Resume {
        company: String,
        subscription: WebhookSubscriptionId,
    },
    /// Send deliveries again, with the same ids.
    Replay {
        company: String,
        #[command(flatten)]
        target: ReplayTarget,
    },
    /// Encrypt the secrets of all companies with `WEBHOOKS_SECRET`, after it was rotated.
    EncryptSecrets,
    /// Delete a subscription and its deliveries.
    Remove {
        company: String,
        subscription: WebhookSubscriptionId,
    },
}

#[derive(Debug, Clone, Copy, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ReplayTarget {
    /// One delivery: the `webhook-id` of a request.
    #[arg(long, conflicts_with_all = ["subscription", "since"])]
    delivery: Option<WebhookDeliveryId>,
    /// The failed deliveries of a subscription.
    #[arg(long)]
    subscription: Option<WebhookSubscriptionId>,
    /// All finished deliveries of the subscription since then.
    #[arg(long, requires = "subscription")]
    since: Option<Timestamp>,
}

impl ReplayTarget {
    fn selection(self) -> anyhow::Result<ReplaySelection> {
        Ok(match (self.delivery, self.subscription, self.since) {
            (Some(id), _, _) => ReplaySelection::One(id),
            (None, Some(id), Some(since)) => ReplaySelection::Since(id, since),
            (None, Some(id), None) => ReplaySelection::Failed(id),
            (None, None, _) => anyhow::bail!("expected --delivery or --subscription"),
        })
    }
}

/// Runs the command.
///
/// # Errors
/// The company, the subscription or the delivery does not exist, or the URL is not accepted.
pub(crate) async fn run(cx: &Stores, command: WebhooksCommand) -> anyhow::Result<()> {
    let out = &mut io::stdout();
    match command {
        WebhooksCommand::Add { company, url, events } => {
            let company = find_company(cx, &company).await?;
            let print = |id: WebhookSubscriptionId, secret: &WebhookSecret| {
                print_line(format_args!("{id}\t{}", secret.expose()))
            };
            add_webhook(cx, company, &url, &events, print).await?;
        }
        WebhooksCommand::List { company } => {
            print(out, &list_webhooks(cx, find_company(cx, &company).await?).await?)?;
        }
        WebhooksCommand::Rotate {
            company,
            subscription,
            overlap_hours,
        } => {
            let company = find_company(cx, &company).await?;
            let overlap = SignedDuration::from_hours(overlap_hours);
            let print = |secret: &WebhookSecret| print_line(format_args!("{}", secret.expose()));
            rotate_webhook_secret(cx, company, subscription, overlap, print).await?;
        }
        WebhooksCommand::Pause {
            company,
            subscription,
        } => {
            set_webhook_paused(cx, find_company(cx, &company).await?, subscription, true).await?;
        }
        WebhooksCommand::Resume {
            company,
            subscription,
        } => {
            set_webhook_paused(cx, find_company(cx, &company).await?, subscription, false).await?;
        }
        WebhooksCommand::Replay { company, target } => {
            let company = find_company(cx, &company).await?;
            let replayed = replay_webhooks(cx, company, target.selection()?).await?;
            anyhow::ensure!(
                replayed > 0 || target.delivery.is_none(),
                "the company has no such delivery, or it is still pending"
            );
            writeln!(out, "{replayed} due again")?;
        }
        WebhooksCommand::EncryptSecrets => {
            writeln!(out, "{} encrypted", encrypt_webhook_secrets(cx).await?)?;
        }
        WebhooksCommand::Remove {
            company,
            subscription,
        } => {
            remove_webhook(cx, find_company(cx, &company).await?, subscription).await?;
        }
    }
    Ok(())
}

async fn find_company(cx: &Stores, id_or_name: &str) -> anyhow::Result<CompanyId> {
    let mut conn = cx.pool.acquire().await?;
    let companies = db::companies::all(&mut conn).await?;
    company::find(&companies, id_or_name).with_context(|| format!("unknown company: {id_or_name}"))
}

/// Writes one line for each subscription, with fields separated by tabs.
fn print(out: &mut impl Write, subscriptions: &[Subscription]) -> io::Result<()> {
    writeln!(out, "id\tstate\tpending\tfailed\tcreated at\turl\tevents")?;
    for subscription in subscriptions {
        let state = if subscription.paused { "paused" } else { "active" };
        writeln!(
            out,
            "{}\t{state}\t{}\t{}\t{}\t{}\t{}",
            subscription.id,
            subscription.pending,
            subscription.failed,
            subscription.created_at,
            subscription.url,
            subscription.event_kinds.join(","),
        )?;
    }
    Ok(())
}
