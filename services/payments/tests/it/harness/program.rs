//! Runs the service as a process: migrate, seed, serve, kill.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use callers::Caller;
use kit::caller::CallerKey;
use kit::grpc::{ClientChannel, GrpcClient};
use proto::payments::v1::payments_client::PaymentsClient;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpListener;
use types::{ConsumerId, SessionId};

use super::sandbox::{PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET};
use super::{Harness, development_binary};

const CALLER_SECRET: &str = "a-secret-that-only-these-tests-know";

pub struct Program {
    database_url: String,
    provider_url: String,
    /// Separates this program's exchanges and queues from those of other tests.
    broker_prefix: String,
    broker_url: String,
    listen: SocketAddr,
    process: Option<Child>,
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Program {
    pub async fn new(harness: &Harness) -> Self {
        let listen = TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap();
        Self {
            database_url: harness.database.url.expose_secret().to_owned(),
            provider_url: harness.sandbox.origin.clone(),
            broker_prefix: testing::unique_name(),
            broker_url: test_broker_url(),
            listen,
            process: None,
        }
    }

    /// Creates a program with an unavailable broker.
    pub async fn without_broker(harness: &Harness) -> Self {
        let mut program = Self::new(harness).await;
        program.broker_url = "amqp://127.0.0.1:1".into();
        program
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_payments"));
        command
            .arg(subcommand)
            .env("PAYMENTS_DATABASE_URL", &self.database_url)
            .env("PROVIDER_URL", &self.provider_url)
            .env("PROVIDER_SECRET_KEY", SECRET_KEY)
            .env("PROVIDER_PUBLISHABLE_KEY", PUBLISHABLE_KEY)
            .env("PROVIDER_WEBHOOK_SECRET", WEBHOOK_SECRET)
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("AMQP_URL", &self.broker_url)
            .env("BROKER_PREFIX", &self.broker_prefix)
            .env("LISTEN", self.listen.to_string())
            .env("RUST_LOG", "warn")
            .env_remove("FAULT_POINT")
            .stdout(Stdio::null());
        command
    }

    /// Runs a subcommand to its end.
    pub fn run(&self, subcommand: &str) {
        let status = self.command(subcommand).status().unwrap();
        assert!(status.success(), "{subcommand}: {status}");
    }

    /// Runs a command line to its end. Returns its output, or its error output if it failed.
    pub fn output(&self, arguments: &[&str]) -> Result<String, String> {
        let mut command = self.command(arguments[0]);
        let output = command
            .args(&arguments[1..])
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        if output.status.success() {
            Ok(String::from_utf8(output.stdout).unwrap())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Runs a command line that exits with status 1. Returns its output.
    pub fn output_of_failure(&self, arguments: &[&str]) -> String {
        let mut command = self.command(arguments[0]);
        let output = command
            .args(&arguments[1..])
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs `seed-test-card` against this program.
    pub fn seed_test_card(&self, consumer_id: ConsumerId, provider_key: &str) {
        let status = Command::new(development_binary("seed-test-card"))
            .args(["--consumer", &consumer_id.to_string()])
            .env("PAYMENTS_ADDRESS", format!("http://{}", self.listen))
            .env("PROVIDER_URL", &self.provider_url)
            .env("PROVIDER_SECRET_KEY", provider_key)
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("RUST_LOG", "warn")
            .stdout(Stdio::null())
            .status()
            .expect("build the tool first: cargo build -p seed-test-card");
        assert!(status.success(), "seed-test-card: {status}");
    }

    /// Starts `serve`, after killing the previous process. The process is killed when it reaches `fault_point`.
    pub async fn serve(&mut self, fault_point: Option<&str>) {
        self.kill();
        let mut command = self.command("serve");
        if let Some(fault_point) = fault_point {
            command.env("FAULT_POINT", fault_point);
        }
        self.process = Some(command.spawn().unwrap());
        for _ in 0..400 {
            if tokio::net::TcpStream::connect(self.listen).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the program did not start");
    }

    /// Creates a client that acts as the given service.
    pub fn client(&self, service: &str) -> PaymentsClient<ClientChannel> {
        let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
        PaymentsClient::new(
            GrpcClient::new(
                Caller::from_service(service),
                "payments",
                &format!("http://{}", self.listen),
                key,
            )
            .unwrap()
            .as_service(),
        )
    }

    /// Creates a client that acts for the given consumer.
    pub fn client_of_consumer(&self, consumer_id: ConsumerId) -> PaymentsClient<ClientChannel> {
        let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
        let address = format!("http://{}", self.listen);
        let client = GrpcClient::new(Caller::from_service("gateway"), "payments", &address, key).unwrap();
        let caller = Caller::Consumer {
            id: consumer_id,
            session: SessionId::new(super::now()),
        };
        PaymentsClient::new(client.as_caller(caller))
    }

    /// Deletes the queues and exchanges that the program declared.
    pub async fn clean_up(mut self) {
        self.kill();
        let broker = lapin::Connection::connect(&test_broker_url(), lapin::ConnectionProperties::default())
            .await
            .unwrap();
        let channel = broker.create_channel().await.unwrap();
        let queues = proto::topology::CONSUMERS
            .iter()
            .flat_map(|(service, _)| [(*service).to_owned(), format!("{service}.dead")])
            .chain(["unrouted".to_owned(), "unrouted.consumed".to_owned()]);
        for name in queues {
            let queue = format!("{}.{name}", self.broker_prefix);
            channel
                .queue_delete(queue.into(), lapin::options::QueueDeleteOptions::default())
                .await
                .unwrap();
        }
        for name in ["events.v2", "unrouted", "unrouted.consumed"] {
            let exchange = format!("{}.{name}", self.broker_prefix);
            channel
                .exchange_delete(exchange.into(), lapin::options::ExchangeDeleteOptions::default())
                .await
                .unwrap();
        }
        broker.close(200, "done".into()).await.unwrap();
    }

    /// Waits until the process has exited by itself.
    pub async fn wait_for_exit(&mut self) {
        for _ in 0..400 {
            if self
                .process
                .as_mut()
                .is_some_and(|process| process.try_wait().unwrap().is_some())
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the program is still running");
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn test_broker_url() -> String {
    std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned())
}
