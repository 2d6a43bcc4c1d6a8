//! A load balancer before the gateways: each connection goes to a gateway that reports that it is ready.

use std::{net::SocketAddr, time::Duration};

use testing::PROXIES;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{sleep, timeout},
};

const CHECK_INTERVAL: Duration = Duration::from_millis(100);
const CHECK_TIMEOUT: Duration = Duration::from_millis(500);
const CHECK: &[u8] = b"GET /health/ready HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n";

/// Starts a load balancer and returns its address.
pub fn start(gateways: &[SocketAddr]) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let gateways: Vec<_> = gateways
        .iter()
        .map(|&gateway| {
            let (ready, is_ready) = watch::channel(false);
            PROXIES.spawn(check(gateway, ready));
            (gateway, is_ready)
        })
        .collect();
    PROXIES.spawn(accept(listener, gateways));
    address
}

async fn accept(listener: std::net::TcpListener, gateways: Vec<(SocketAddr, watch::Receiver<bool>)>) {
    let listener = TcpListener::from_std(listener).unwrap();
    let mut next = 0;
    loop {
        let Ok((mut client, _)) = listener.accept().await else {
            continue;
        };
        next += 1;
        let candidates: Vec<_> = (0..gateways.len())
            .map(|offset| &gateways[(next + offset) % gateways.len()])
            .filter(|(_, is_ready)| *is_ready.borrow())
            .map(|(gateway, _)| *gateway)
            .collect();
        tokio::spawn(async move {
            for gateway in candidates {
                if let Ok(mut server) = TcpStream::connect(gateway).await {
                    let _closed = (client.set_nodelay(true), server.set_nodelay(true));
                    let _closed = copy_bidirectional(&mut client, &mut server).await;
                    return;
                }
            }
        });
    }
}

async fn check(gateway: SocketAddr, ready: watch::Sender<bool>) {
    loop {
        let is_ready = timeout(CHECK_TIMEOUT, responds(gateway)).await;
        ready.send_replace(matches!(is_ready, Ok(Ok(true))));
        sleep(CHECK_INTERVAL).await;
    }
}

async fn responds(gateway: SocketAddr) -> std::io::Result<bool> {
    let mut connection = TcpStream::connect(gateway).await?;
    connection.write_all(CHECK).await?;
    let mut response = [0; 12];
    connection.read_exact(&mut response).await?;
    Ok(response.ends_with(b" 200"))
}
