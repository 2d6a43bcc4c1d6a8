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
        kit::tls::install_provider();
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

    /// Creates a bucket and returns its URL and the settings for it.
    pub async fn create_bucket(&self) -> (String, serde_json::Value) {
        let name = format!("photos-{}", uuid::Uuid::new_v4());
        let bucket = format!("{}/{name}", self.url);
        let created = reqwest::Client::new().put(&bucket).send();
        assert!(created.await.unwrap().status().is_success());
        let settings = serde_json::json!({
            "photo_bucket": name, "photo_bucket_url": self.url, "photo_bucket_key_id": "id", "photo_bucket_key": "secret",
        });
        (bucket, settings)
    }

    /// Stops the process until [`resume`](Self::resume): it accepts connections and does not respond.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([&format!("-{name}"), &self.process.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
