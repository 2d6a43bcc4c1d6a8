//! TCP proxies, and the faults that tests inject into them.

use std::{
    net::{SocketAddr, TcpListener as BlockingListener},
    sync::LazyLock,
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{ReadHalf, WriteHalf},
    },
    runtime::{Builder, Runtime},
    sync::watch,
};

/// All proxies run here until the test process exits, because what a proxy connects may outlive the runtime of the test that
/// started it.
pub static PROXIES: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime")
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

#[derive(Debug, Clone, Copy, Default)]
struct State {
    fault: Option<Fault>,
    /// Number of times that the server vanished.
    vanished: usize,
}

impl State {
    fn is(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}

/// A proxy to a server. It forwards until the test process exits.
#[derive(Debug)]
pub struct Proxy {
    pub address: SocketAddr,
    state: watch::Sender<State>,
}

impl Proxy {
    /// Starts a proxy to `server` (`host:port`).
    #[must_use]
    pub fn start(server: String) -> Self {
        let listener = BlockingListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a listener of tokio");
        let address = listener.local_addr().expect("bound");
        let (state, changes) = watch::channel(State::default());
        PROXIES.spawn(accept(listener, server, changes));
        Self { address, state }
    }

    pub fn set(&self, fault: Option<Fault>) {
        self.state.send_modify(|state| state.fault = fault);
    }

    /// Behaves as if the server lost its power: it closes all open connections for the server, while the clients' stay open and
    /// never get an answer. New connections work.
    pub fn vanish(&self) {
        self.state.send_modify(|state| state.vanished += 1);
    }
}

async fn accept(listener: BlockingListener, server: String, state: watch::Receiver<State>) {
    let listener = TcpListener::from_std(listener).expect("a listener of tokio");
    loop {
        let Ok((client, _)) = listener.accept().await else {
            continue;
        };
        let (server, state) = (server.clone(), state.clone());
        tokio::spawn(async move {
            if state.borrow().is(Fault::Cut) {
                return;
            }
            if let Ok(server) = TcpStream::connect(server).await {
                forward(client, server, state).await;
            }
        });
    }
}

/// Forwards until both sides have closed, the fault cuts the connection, or the server vanishes.
async fn forward(mut client: TcpStream, mut server: TcpStream, state: watch::Receiver<State>) {
    // Fails if the connection was closed already.
    let _closed = (client.set_nodelay(true), server.set_nodelay(true));
    let before = state.borrow().vanished;
    let mut changes = state.clone();
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let ended = tokio::select! {
        _ = async { tokio::join!(
            copy(from_client, to_server, state.clone(), before),
            copy(from_server, to_client, state.clone(), before),
        ) } => None,
        ended = changes.wait_for(|state| state.is(Fault::Cut) || state.vanished > before) => ended.ok().map(|state| *state),
    };
    if ended.is_some_and(|state| state.vanished > before) {
        drop(server);
        std::future::pending::<()>().await;
    }
}

async fn copy(
    mut from: ReadHalf<'_>,
    mut to: WriteHalf<'_>,
    mut state: watch::Receiver<State>,
    before: usize,
) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let current = state.borrow().fault;
        match current {
            Some(Fault::Delay(time)) => tokio::time::sleep(time).await,
            Some(Fault::Blackhole) => {
                let _stopping = state.wait_for(|state| !state.is(Fault::Blackhole)).await;
            }
            Some(Fault::Garble) if to.write_all(&GARBAGE).await.is_err() => break,
            _ => {}
        }
        if state.borrow().vanished > before || to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
    let _closed = to.shutdown().await;
}
