//! The keeper: clears up behind the system tests, however they end. It reads what there is to clear up from its standard
//! input until that is closed, which happens at the latest when the process of the tests is gone; then it kills the
//! programs that still run, drops the databases and deletes the queues.
//!
//! Lines: `program PID`, `ended PID`, `database NAME`, `prefix NAME`.

use std::{collections::BTreeSet, io::BufRead, process::Command};

use anyhow::Context;
use lapin::{
    ConnectionProperties,
    options::{ExchangeDeleteOptions, QueueDeleteOptions},
};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

#[derive(Debug, Default)]
struct Left {
    programs: BTreeSet<u32>,
    databases: Vec<String>,
    prefixes: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(postgres), Some(broker)) = (arguments.next(), arguments.next()) else {
        // Started by hand: there is nothing to clear up.
        return Ok(());
    };
    let left = read(std::io::stdin().lock())?;
    for program in &left.programs {
        let _gone = Command::new("kill")
            .args(["-KILL", &program.to_string()])
            .status();
    }
    drop_databases(&postgres, &left.databases)
        .await
        .context("databases of system tests were left behind")?;
    delete_queues(&broker, &left.prefixes)
        .await
        .context("queues of system tests were left behind")
}

fn read(lines: impl BufRead) -> anyhow::Result<Left> {
    let mut left = Left::default();
    for line in lines.lines() {
        let line = line?;
        match line.split_once(' ') {
            Some(("program", pid)) => drop(left.programs.insert(pid.parse()?)),
            Some(("ended", pid)) => drop(left.programs.remove(&pid.parse()?)),
            Some(("database", name)) => left.databases.push(name.to_owned()),
            Some(("prefix", name)) => left.prefixes.push(name.to_owned()),
            _ => anyhow::bail!("not understood: {line:?}"),
        }
    }
    Ok(left)
}

async fn drop_databases(server: &str, names: &[String]) -> anyhow::Result<()> {
    let mut server = PgConnection::connect(server).await?;
    for name in names {
        let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        sqlx::query(AssertSqlSafe(statement)).execute(&mut server).await?;
    }
    Ok(())
}

async fn delete_queues(broker: &str, prefixes: &[String]) -> anyhow::Result<()> {
    let connection = lapin::Connection::connect(broker, ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    for prefix in prefixes {
        let services = proto::topology::CONSUMERS
            .iter()
            .flat_map(|(name, _)| [(*name).to_owned(), format!("{name}.dead")]);
        for queue in services.chain(["unrouted".to_owned()]) {
            channel
                .queue_delete(format!("{prefix}.{queue}").into(), QueueDeleteOptions::default())
                .await?;
        }
        channel
            .exchange_delete(
                format!("{prefix}.events").into(),
                ExchangeDeleteOptions::default(),
            )
            .await?;
    }
    Ok(connection.close(200, "done".into()).await?)
}
