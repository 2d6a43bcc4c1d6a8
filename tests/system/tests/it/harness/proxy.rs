//! A TCP proxy between the services and the broker whose connections a test can cut.

use std::{net::SocketAddr, thread};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    runtime,
    sync::watch,
};

/// Runs on its own thread until the process exits.
pub struct Proxy {
    pub address: SocketAddr,
    is_open: watch::Sender<bool>,
}

impl Proxy {
    /// Starts a proxy to `server` (`host:port`).
    pub fn to(server: String) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (is_open, state) = watch::channel(true);
        thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(forward(listener, server, state));
        });
        Self { address, is_open }
    }

    /// Closes all connections and rejects new ones.
    pub fn cut(&self) {
        self.is_open.send_replace(false);
    }

    pub fn restore(&self) {
        self.is_open.send_replace(true);
    }
}

async fn forward(listener: std::net::TcpListener, server: String, state: watch::Receiver<bool>) {
    let listener = TcpListener::from_std(listener).unwrap();
    loop {
        let Ok((mut client, _)) = listener.accept().await else {
            continue;
        };
        let (server, mut state) = (server.clone(), state.clone());
        tokio::spawn(async move {
            if !*state.borrow() {
                return;
            }
            let Ok(mut upstream) = TcpStream::connect(server).await else {
                return;
            };
            tokio::select! {
                _ = copy_bidirectional(&mut client, &mut upstream) => {}
                _ = state.wait_for(|is_open| !is_open) => {}
            }
        });
    }
}
