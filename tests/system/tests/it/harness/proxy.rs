//! TCP proxies on the connections between processes, and the faults that tests inject into them.

use std::{net::SocketAddr, sync::LazyLock, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    runtime::{Builder, Runtime},
    sync::watch,
};

/// All proxies run here until the test process exits, because a stack outlives the runtime of the test that started it.
pub static PROXIES: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap()
});

const BUFFER_BYTES: usize = 16 * 1024;

/// No protocol of the system accepts these bytes at the start of a message or inside a number or a text.
const GARBAGE: [u8; 64] = [0xff; 64];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Delays each segment.
    Delay(Duration),
    /// Closes all connections and each new one.
    Cut,
    /// Accepts connections and forwards nothing until the fault ends.
    Blackhole,
    /// Inserts bytes in both directions.
    Garble,
}

/// The connections from one process to another.
pub struct Link {
    /// Program and replica, for example `gateway-1`.
    pub from: String,
    /// Program and replica, or `postgres`, `rabbitmq` or `redis`.
    pub to: String,
    pub address: SocketAddr,
    fault: watch::Sender<Option<Fault>>,
}

impl Link {
    /// Starts a proxy to `server` (`host:port`).
    pub fn new(from: &str, to: &str, server: String) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (fault, state) = watch::channel(None);
        PROXIES.spawn(accept(listener, server, state));
        let (from, to) = (from.to_owned(), to.to_owned());
        Self {
            from,
            to,
            address,
            fault,
        }
    }

    pub fn set(&self, fault: Option<Fault>) {
        self.fault.send_replace(fault);
    }

    pub fn is_from(&self, program: &str) -> bool {
        is_replica_of(&self.from, program)
    }

    pub fn is_to(&self, program: &str) -> bool {
        is_replica_of(&self.to, program)
    }
}

fn is_replica_of(process: &str, program: &str) -> bool {
    process
        .strip_prefix(program)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("-0") || rest.starts_with("-1"))
}

async fn accept(listener: std::net::TcpListener, server: String, fault: watch::Receiver<Option<Fault>>) {
    let listener = TcpListener::from_std(listener).unwrap();
    loop {
        let Ok((client, _)) = listener.accept().await else {
            continue;
        };
        let (server, fault) = (server.clone(), fault.clone());
        tokio::spawn(async move {
            if *fault.borrow() == Some(Fault::Cut) {
                return;
            }
            if let Ok(server) = TcpStream::connect(server).await {
                forward(client, server, fault).await;
            }
        });
    }
}

/// Forwards until both sides have closed, or the fault cuts the connection.
async fn forward(client: TcpStream, server: TcpStream, fault: watch::Receiver<Option<Fault>>) {
    // Fails if the connection was closed already.
    let _closed = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let mut cut = fault.clone();
    tokio::select! {
        _ = async { tokio::join!(
            copy(from_client, to_server, fault.clone()),
            copy(from_server, to_client, fault.clone()),
        ) } => {}
        _ = cut.wait_for(|fault| *fault == Some(Fault::Cut)) => {}
    }
}

async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut fault: watch::Receiver<Option<Fault>>) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let current = *fault.borrow();
        match current {
            Some(Fault::Delay(time)) => tokio::time::sleep(time).await,
            Some(Fault::Blackhole) => {
                let _stopping = fault.wait_for(|fault| *fault != Some(Fault::Blackhole)).await;
            }
            Some(Fault::Garble) if to.write_all(&GARBAGE).await.is_err() => break,
            _ => {}
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
    let _closed = to.shutdown().await;
}
