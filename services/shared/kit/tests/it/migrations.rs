use std::path::PathBuf;

use kit::lifecycle::Process;
use sqlx::migrate::Migrator;
use testing::Database;

const CHECK: &str = "DO $$ BEGIN
    ASSERT current_setting('statement_timeout') = '0', 'the migration has a time limit';
END $$";

struct Directory(PathBuf);

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[tokio::test]
async fn migrations_run_without_the_statement_timeout_of_calls() {
    let database = Database::create(&[]).await;
    let directory = Directory(std::env::temp_dir().join(testing::unique_name()));
    std::fs::create_dir(&directory.0).unwrap();
    std::fs::write(directory.0.join("0001_check.sql"), CHECK).unwrap();
    let mut migrator = Migrator::new(directory.0.as_path()).await.unwrap();
    migrator.table_name = "test_migrations".into();

    let process = Process::detached("test");
    kit::postgres::migrate(&process, &database.url, &[&migrator])
        .await
        .unwrap();
    let pool = kit::postgres::connect(&process, &database.url).await.unwrap();
    let limit: String = sqlx::query_scalar("SHOW statement_timeout")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(limit, "15s");
    pool.close().await;
    database.drop().await;
}
