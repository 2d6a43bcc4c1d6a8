//! A private Redis server that a test can stop.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

pub struct RedisServer {
    port: u16,
    process: Option<Child>,
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl RedisServer {
    /// Reserves a port. The server is not started.
    pub fn stopped() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        Self { port, process: None }
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub async fn start(&mut self) {
        let process = Command::new("redis-server")
            .args([
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--port",
                &self.port.to_string(),
            ])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        self.process = Some(process);
        for _ in 0..600 {
            if tokio::net::TcpStream::connect(("127.0.0.1", self.port))
                .await
                .is_ok()
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("redis-server did not start");
    }

    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Freezes the server: connections stay open and get no response.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    pub fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let id = self.process.as_ref().unwrap().id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
    }
}
