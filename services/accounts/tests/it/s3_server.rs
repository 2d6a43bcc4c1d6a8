use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// An S3-compatible server, which `deploy/dev/setup test` installs. It stops when this is dropped.
pub struct S3Server {
    process: Child,
    pub url: String,
}

impl S3Server {
    pub async fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port().to_string();
        drop(free);
        let process = Command::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../.run/moto/bin/moto_server"
        ))
        .args(["-H", "127.0.0.1", "-p", &port])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("moto_server, which `deploy/dev/setup test` installs: {error}"));
        let server = Self {
            process,
            url: format!("http://127.0.0.1:{port}"),
        };
        let started = async {
            while reqwest::get(&server.url).await.is_err() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), started)
            .await
            .unwrap();
        server
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
