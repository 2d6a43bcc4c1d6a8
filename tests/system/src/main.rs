//! Cleans up after the system tests, even if they are killed. It reads the resources from its standard input until the test
//! process closes it or exits. Then it kills the programs that still run, drops the databases and deletes the queues.
//!
//! Lines: `program PID`, `ended PID`, `database NAME`, `prefix NAME`, `servers STACK`.

use std::{collections::BTreeSet, io::BufRead, process::Command};

use anyhow::Context;
use lapin::{
    ConnectionProperties,
    options::{ExchangeDeleteOptions, QueueDeleteOptions},
};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

#[derive(Debug, Default)]
struct Resources {
    programs: BTreeSet<u32>,
    databases: Vec<String>,
    prefixes: Vec<String>,
    /// Stacks of `deploy/dev/backing-services` that no other process uses.
    servers: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(postgres), Some(broker)) = (arguments.next(), arguments.next()) else {
        // Started manually: there is nothing to clean up.
        return Ok(());
    };
    let resources = read(std::io::stdin().lock())?;
    for program in &resources.programs {
        let _status = Command::new("kill")
            .args(["-KILL", &program.to_string()])
            .status();
    }
    for stack in &resources.servers {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/dev/backing-services");
        let _status = Command::new(script).args(["kill", stack]).status();
    }
    drop_databases(&postgres, &resources.databases)
        .await
        .context("databases of system tests were left behind")?;
    delete_queues(&broker, &resources.prefixes)
        .await
        .context("queues of system tests were left behind")
}

fn read(lines: impl BufRead) -> anyhow::Result<Resources> {
    let mut resources = Resources::default();
    for line in lines.lines() {
        let line = line?;
        match line.split_once(' ') {
            Some(("program", pid)) => drop(resources.programs.insert(pid.parse()?)),
            Some(("ended", pid)) => drop(resources.programs.remove(&pid.parse()?)),
            Some(("database", name)) => resources.databases.push(name.to_owned()),
            Some(("servers", stack)) => resources.servers.push(stack.to_owned()),
            Some(("prefix", name)) => resources.prefixes.push(name.to_owned()),
            _ => anyhow::bail!("unknown command: {line:?}"),
        }
    }
    Ok(resources)
}

async fn drop_databases(server: &str, names: &[String]) -> anyhow::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let mut server = PgConnection::connect(server).await?;
    for name in names {
        let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        sqlx::query(AssertSqlSafe(statement)).execute(&mut server).await?;
    }
    Ok(())
}

async fn delete_queues(broker: &str, prefixes: &[String]) -> anyhow::Result<()> {
    if prefixes.is_empty() {
        return Ok(());
    }
    let connection = lapin::Connection::connect(broker, ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    for prefix in prefixes {
        let services = proto::topology::CONSUMERS
            .iter()
            .flat_map(|(name, _)| [(*name).to_owned(), format!("{name}.dead")]);
        for queue in services.chain(["unrouted".to_owned(), "unrouted.consumed".to_owned()]) {
            channel
                .queue_delete(format!("{prefix}.{queue}").into(), QueueDeleteOptions::default())
                .await?;
        }
        for exchange in ["events.v2", "unrouted", "unrouted.consumed"] {
            channel
                .exchange_delete(
                    format!("{prefix}.{exchange}").into(),
                    ExchangeDeleteOptions::default(),
                )
                .await?;
        }
    }
    Ok(connection.close(200, "done".into()).await?)
}
