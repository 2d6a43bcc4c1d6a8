//! A proxy in front of the broker that withholds the publisher confirms of one event type, as an unavailable queue does.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

const METHOD_FRAME: u8 = 1;
const FRAME_END: u8 = 0xCE;
const CHANNEL_OPEN: [u8; 4] = [0, 20, 0, 10];
const BASIC_PUBLISH: [u8; 4] = [0, 60, 0, 40];
const BASIC_ACK: [u8; 4] = [0, 60, 0, 80];

#[derive(Default)]
struct Channel {
    published: u64,
    acknowledged: u64,
    withheld: HashSet<u64>,
}

#[derive(Default)]
struct State {
    /// By connection and channel.
    channels: HashMap<(usize, u16), Channel>,
    publishes_of_slow_type: usize,
}

pub struct SlowConfirms {
    pub url: String,
    state: Arc<Mutex<State>>,
}

impl SlowConfirms {
    /// Starts a proxy to the broker at `host:port` that withholds the confirms of `slow_type`.
    pub async fn start(broker: String, slow_type: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("amqp://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            for connection in 0.. {
                let (client_read, client_write) = listener.accept().await.unwrap().0.into_split();
                let server = TcpStream::connect(&broker).await.unwrap();
                let (server_read, server_write) = server.into_split();
                let (to_server, to_client) = (Arc::clone(&shared), Arc::clone(&shared));
                tokio::spawn(async move {
                    forward_publishes(client_read, server_write, &to_server, connection, slow_type).await
                });
                tokio::spawn(async move {
                    forward_confirms(server_read, client_write, &to_client, connection).await
                });
            }
        });
        Self { url, state }
    }

    /// Number of messages of the slow type that were published.
    pub fn publishes(&self) -> usize {
        self.state.lock().unwrap().publishes_of_slow_type
    }
}

struct Frame {
    kind: u8,
    channel: u16,
    payload: Vec<u8>,
}

async fn read_frame(from: &mut OwnedReadHalf) -> std::io::Result<Frame> {
    let (kind, channel) = (from.read_u8().await?, from.read_u16().await?);
    let mut payload = vec![0; from.read_u32().await? as usize];
    from.read_exact(&mut payload).await?;
    from.read_u8().await?;
    Ok(Frame {
        kind,
        channel,
        payload,
    })
}

async fn write_frame(to: &mut OwnedWriteHalf, frame: &Frame) -> std::io::Result<()> {
    let mut bytes = vec![frame.kind];
    bytes.extend(frame.channel.to_be_bytes());
    bytes.extend(u32::try_from(frame.payload.len()).unwrap().to_be_bytes());
    bytes.extend(&frame.payload);
    bytes.push(FRAME_END);
    to.write_all(&bytes).await
}

async fn forward_publishes(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    state: &Mutex<State>,
    connection: usize,
    slow_type: &str,
) -> std::io::Result<()> {
    let mut header = [0; 8];
    from.read_exact(&mut header).await?;
    to.write_all(&header).await?;
    loop {
        let frame = read_frame(&mut from).await?;
        if frame.kind == METHOD_FRAME && frame.payload.starts_with(&BASIC_PUBLISH) {
            let mut state = state.lock().unwrap();
            let is_slow = routing_key(&frame.payload) == slow_type.as_bytes();
            state.publishes_of_slow_type += usize::from(is_slow);
            let channel = state.channels.entry((connection, frame.channel)).or_default();
            channel.published += 1;
            if is_slow {
                channel.withheld.insert(channel.published);
            }
        }
        if frame.kind == METHOD_FRAME && frame.payload.starts_with(&CHANNEL_OPEN) {
            let mut state = state.lock().unwrap();
            state
                .channels
                .insert((connection, frame.channel), Channel::default());
        }
        write_frame(&mut to, &frame).await?;
    }
}

/// Returns the routing key of a publish: class, method, reserved short, exchange, routing key.
fn routing_key(publish: &[u8]) -> &[u8] {
    let exchange_end = 7 + usize::from(publish[6]);
    let key = &publish[exchange_end + 1..];
    &key[..usize::from(publish[exchange_end])]
}

async fn forward_confirms(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    state: &Mutex<State>,
    connection: usize,
) -> std::io::Result<()> {
    loop {
        let frame = read_frame(&mut from).await?;
        if frame.kind == METHOD_FRAME && frame.payload.starts_with(&BASIC_ACK) {
            for tag in tags_to_forward(state, (connection, frame.channel), &frame.payload) {
                let mut payload = BASIC_ACK.to_vec();
                payload.extend(tag.to_be_bytes());
                payload.push(0);
                write_frame(&mut to, &Frame { payload, ..frame }).await?;
            }
        } else {
            write_frame(&mut to, &frame).await?;
        }
    }
}

fn tags_to_forward(state: &Mutex<State>, channel: (usize, u16), ack: &[u8]) -> Vec<u64> {
    let tag = u64::from_be_bytes(ack[4..12].try_into().unwrap());
    let is_multiple = ack[12] & 1 == 1;
    let mut state = state.lock().unwrap();
    let channel = state.channels.entry(channel).or_default();
    let first = if is_multiple {
        channel.acknowledged + 1
    } else {
        tag
    };
    channel.acknowledged = channel.acknowledged.max(if is_multiple { tag } else { 0 });
    (first..=tag)
        .filter(|tag| !channel.withheld.contains(tag))
        .collect()
}
