//! Backups of the private PostgreSQL server with the scripts of `deploy/backup`.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output},
};

use sqlx::{Connection, PgConnection};

use super::{
    Stack, cleanup, eventually,
    program::{Settings, binary},
    settings::common_settings,
    topology::free_address,
};

const SERVER: &str = "postgres://orderahead@127.0.0.1:7432/postgres";

/// A folder of backups that receives the WAL of the server until dropped.
pub struct Backup {
    folder: PathBuf,
    receiver: Child,
}

impl Backup {
    /// Starts to receive the WAL.
    pub async fn start() -> Self {
        let folder = std::env::temp_dir().join(testing::unique_name());
        fs::create_dir_all(&folder).unwrap();
        // The restored server runs as the user `postgres`.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let receiver = script("receive-wal", &folder).spawn().unwrap();
        cleanup::register("program", receiver.id());
        let backup = Self { folder, receiver };
        backup.wait_for_wal().await;
        backup
    }

    /// Copies the server. The copy has no settings that a check of it may use: those in its folder would let nobody connect.
    pub fn base_backup(&self) {
        let output = run(&mut script("base-backup", &self.folder));
        let copy = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
        fs::write(copy.join("pg_hba.conf"), "host all all all reject\n").unwrap();
        fs::write(copy.join("pg_ident.conf"), "").unwrap();
        // As in Debian, which keeps it outside of the folder.
        fs::remove_file(copy.join("postgresql.conf")).unwrap();
        let automatic = copy.join("postgresql.auto.conf");
        let mut settings = fs::read_to_string(&automatic).unwrap();
        settings.push_str("shared_preload_libraries = 'missing'\nssl_cert_file = '/missing'\nssl = on\n");
        fs::write(automatic, settings).unwrap();
    }

    /// Starts another receiver of the WAL and returns its exit code.
    pub fn receive_from(&self, restored: &Restored) -> Option<i32> {
        let url = format!("postgres://orderahead@127.0.0.1:{}/postgres", restored.port);
        let mut receiver = script("receive-wal", &self.folder);
        receiver.env("BACKUP_DATABASE_URL", url).status().unwrap().code()
    }

    /// Waits until all WAL that the server has written is in the backup.
    pub async fn wait_for_wal(&self) {
        let mut server = PgConnection::connect(SERVER).await.unwrap();
        let end: String = sqlx::query_scalar("SELECT pg_current_wal_insert_lsn()::text")
            .fetch_one(&mut server)
            .await
            .unwrap();
        eventually("the WAL is received", async || {
            let is_received: Option<bool> = sqlx::query_scalar(
                "SELECT bool_or(flush_lsn >= $1::pg_lsn) FROM pg_stat_replication
                 WHERE application_name = 'pg_receivewal'",
            )
            .bind(&end)
            .fetch_one(&mut server)
            .await
            .unwrap();
            if is_received == Some(true) {
                Ok(())
            } else {
                Err(format!("{is_received:?}"))
            }
        })
        .await;
    }

    /// Lets the server write what follows to a new segment of the WAL.
    pub async fn switch_segment(&self) {
        let mut server = PgConnection::connect(SERVER).await.unwrap();
        sqlx::query("SELECT pg_switch_wal()")
            .execute(&mut server)
            .await
            .unwrap();
    }

    /// Restores to a time, publishes events again and audits the money, without programs.
    pub fn rehearse(&self, stack: &Stack, time: &str) -> Output {
        let mut command = script("rehearse-restore", &self.folder);
        let command = command.arg(self.folder.join("rehearsed")).arg(time);
        with_programs(command, stack.database_urls())
            .env("PORT", free_address().port().to_string())
            .output()
            .unwrap()
    }

    /// Restores all databases to a time, in a server of their own.
    pub fn restore(&self, stack: &Stack, time: &str) -> Restored {
        let data = self.folder.join("restored");
        let _printed = run(script("restore", &self.folder).arg(&data).arg(time));
        let port = free_address().port();
        let _printed = run(script("scratch-server", &self.folder)
            .arg("start")
            .arg(&data)
            .arg(port.to_string()));
        let pid_file = fs::read_to_string(data.join("postmaster.pid")).unwrap();
        let server = pid_file.lines().next().unwrap().to_owned();
        cleanup::register("program", &server);
        let mut databases = stack.database_urls().clone();
        for url in databases.values_mut() {
            *url = url.replace(":7432/", &format!(":{port}/"));
        }
        Restored {
            data,
            port,
            server,
            databases,
        }
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        let _ended = self.receiver.kill();
        let _status = self.receiver.wait();
        cleanup::register("ended", self.receiver.id());
        // Otherwise the server would keep all further WAL.
        let drop_slot = "SELECT pg_terminate_backend(active_pid, 5000), pg_drop_replication_slot(slot_name)
                         FROM pg_replication_slots WHERE slot_name = 'orderahead_backup'";
        let _dropped = Command::new("psql").args([SERVER, "-qAtc", drop_slot]).output();
        let _removed = fs::remove_dir_all(&self.folder);
    }
}

/// A server with restored databases, which is stopped when dropped.
pub struct Restored {
    data: PathBuf,
    port: u16,
    /// Its process id.
    server: String,
    databases: Settings,
}

impl Restored {
    pub async fn database(&self, variable: &str) -> PgConnection {
        PgConnection::connect(&self.databases[variable]).await.unwrap()
    }

    /// URLs of the databases by variable.
    pub const fn database_urls(&self) -> &Settings {
        &self.databases
    }

    /// Audits the money in the restored databases.
    pub fn audit_money(&self) -> Output {
        let mut command = Command::new(path_of("audit-money"));
        with_programs(&mut command, &self.databases).output().unwrap()
    }

    /// Lets the services publish events again.
    pub fn replay_events(&self) {
        let mut command = Command::new(path_of("replay-events"));
        let _printed = run(with_programs(&mut command, &self.databases));
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        let mut stop = Command::new(path_of("scratch-server"));
        let _stopped = stop.arg("stop").arg(&self.data).status();
        cleanup::register("ended", &self.server);
    }
}

/// Adds the settings of the scripts that read the databases.
fn with_programs<'a>(command: &'a mut Command, databases: &Settings) -> &'a mut Command {
    let programs = binary("gift-cards");
    command
        .envs(common_settings())
        .envs(databases)
        .env("BIN_DIR", programs.parent().unwrap())
}

fn path_of(script: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/backup")).join(script)
}

/// Deletes the backups of a folder that no restore to the last days needs.
pub fn delete_old_backups(folder: &Path, days: u32) -> Output {
    run(script("delete-old-backups", folder).arg(days.to_string()))
}

fn script(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(path_of(name));
    command
        .env("BACKUP_DATABASE_URL", SERVER)
        .env("BACKUP_DIR", folder);
    command
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    output
}
