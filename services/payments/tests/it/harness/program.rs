//! The service as the program that it is: migrated, seeded, served, killed.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use callers::Caller;
use kit::caller::CallerKey;
use kit::grpc::{ClientChannel, GrpcClient};
use proto::payments::v1::payments_client::PaymentsClient;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpListener;

use super::World;
use super::sandbox::{PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET};

const CALLER_SECRET: &str = "a-secret-that-only-these-tests-know";

/// Where the program is run: which world, which broker, which address.
pub struct Program {
    database: String,
    provider: String,
    prefix: String,
    broker: String,
    listen: SocketAddr,
    serving: Option<Child>,
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Program {
    pub async fn new(world: &World) -> Self {
        let listen = TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap();
        Self {
            database: world.database.url.expose_secret().to_owned(),
            provider: world.sandbox.origin.clone(),
            prefix: testing::unique_name(),
            broker: amqp_url(),
            listen,
            serving: None,
        }
    }

    /// The same, while the broker is away.
    pub async fn without_broker(world: &World) -> Self {
        let mut program = Self::new(world).await;
        program.broker = "amqp://127.0.0.1:1".to_owned();
        program
    }

    fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_payments"));
        command
            .arg(verb)
            .env("PAYMENTS_DATABASE_URL", &self.database)
            .env("PROVIDER_URL", &self.provider)
            .env("PROVIDER_SECRET_KEY", SECRET_KEY)
            .env("PROVIDER_PUBLISHABLE_KEY", PUBLISHABLE_KEY)
            .env("PROVIDER_WEBHOOK_SECRET", WEBHOOK_SECRET)
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("AMQP_URL", &self.broker)
            .env("BROKER_PREFIX", &self.prefix)
            .env("LISTEN", self.listen.to_string())
            .env("RUST_LOG", "warn")
            .env_remove("FAULT_POINT")
            .stdout(Stdio::null());
        command
    }

    /// Runs a verb that ends by itself.
    pub fn run(&self, verb: &str) {
        let status = self.command(verb).status().unwrap();
        assert!(status.success(), "{verb}: {status}");
    }

    /// Serves; killed, as by a power cut, where `fault_point` says.
    pub async fn serve(&mut self, fault_point: Option<&str>) {
        self.kill();
        let mut command = self.command("serve");
        if let Some(place) = fault_point {
            command.env("FAULT_POINT", place);
        }
        self.serving = Some(command.spawn().unwrap());
        for _ in 0..400 {
            if tokio::net::TcpStream::connect(self.listen).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the program does not serve");
    }

    /// A client as the service of this name.
    pub fn client(&self, service: &str) -> PaymentsClient<ClientChannel> {
        let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
        PaymentsClient::new(
            GrpcClient::new(Caller::from_service(service), &format!("http://{}", self.listen), key)
                .unwrap()
                .as_service(),
        )
    }

    /// Takes down what the program declared on the broker.
    pub async fn end(mut self) {
        self.kill();
        let broker = lapin::Connection::connect(&amqp_url(), lapin::ConnectionProperties::default())
            .await
            .unwrap();
        let channel = broker.create_channel().await.unwrap();
        let names = proto::topology::CONSUMERS
            .iter()
            .flat_map(|(service, _)| [(*service).to_owned(), format!("{service}.dead")]);
        for name in names.chain(["unrouted".to_owned()]) {
            let queue = format!("{}.{name}", self.prefix);
            channel
                .queue_delete(queue.into(), lapin::options::QueueDeleteOptions::default())
                .await
                .unwrap();
        }
        let exchange = format!("{}.events", self.prefix);
        channel
            .exchange_delete(exchange.into(), lapin::options::ExchangeDeleteOptions::default())
            .await
            .unwrap();
        broker.close(200, "done".into()).await.unwrap();
    }

    /// Waits until the program has ended by itself.
    pub async fn has_died(&mut self) {
        for _ in 0..400 {
            if self
                .serving
                .as_mut()
                .is_some_and(|serving| serving.try_wait().unwrap().is_some())
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the program still runs");
    }

    fn kill(&mut self) {
        if let Some(mut serving) = self.serving.take() {
            let _ = serving.kill();
            let _ = serving.wait();
        }
    }
}

fn amqp_url() -> String {
    std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned())
}
