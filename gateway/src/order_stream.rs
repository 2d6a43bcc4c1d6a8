//! One open stream of a consumer's orders.

use std::collections::HashMap;
use std::time::Duration;

use async_stream::stream;
use axum::response::sse::Event;
use futures::Stream;
use http::HeaderMap;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as ordering;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, interval};

use crate::caller::Consumer;
use crate::envelope::ApiError;
use crate::gateway::Gateway;
use crate::live::{Change, Follower};
use crate::types::order::{Order, OrderList};
use crate::{cookie, session};

/// How often a quiet stream says that it is there, so that proxies keep it.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// How often orders are asked for while the broker is away.
const POLL: Duration = Duration::from_secs(3);
/// How often the session is looked at again: it may have ended elsewhere.
const SESSION_CHECK: Duration = Duration::from_secs(15);

/// The versions that the client has, and where changes come from.
#[derive(Debug)]
pub struct OrderStream {
    gateway: Gateway,
    consumer: Consumer,
    token: String,
    follower: Follower,
    /// Version sent, and whether the order had a way to go, by order.
    sent: HashMap<String, (i64, bool)>,
    snapshot: OrderList,
}

/// What to do after something happened.
enum Next {
    Fetch(String, i64),
    Refresh,
    CheckSession,
    Nothing,
    End,
}

impl OrderStream {
    /// Listens first and asks then, so that no change falls in between.
    ///
    /// # Errors
    /// `TOO_MANY_STREAMS`, `STREAMS_FULL`; what ordering says.
    pub async fn open(gateway: Gateway, consumer: Consumer, headers: &HeaderMap) -> Result<Self, ApiError> {
        let follower = gateway.live.follow(consumer.id).map_err(ServiceError::from)?;
        let token = cookie::read(headers, cookie::SESSION)
            .unwrap_or_default()
            .to_owned();
        let snapshot = OrderList { orders: Vec::new() };
        let mut stream = Self {
            gateway,
            consumer,
            token,
            follower,
            sent: HashMap::new(),
            snapshot,
        };
        let orders = stream.active().await?;
        for order in &orders {
            stream.remember(order);
        }
        stream.snapshot = OrderList { orders };
        Ok(stream)
    }

    /// The events, until the session ends or the process is told to stop.
    pub fn events(mut self) -> impl Stream<Item = Result<Event, axum::Error>> {
        stream! {
            yield Event::default().event("snapshot").json_data(&self.snapshot);
            let (mut poll, mut check) = (interval(POLL), interval(SESSION_CHECK));
            poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
            // The snapshot is of just now.
            poll.reset();
            check.reset();
            let shutdown = self.gateway.shutdown.clone();
            loop {
                let next = tokio::select! {
                    () = shutdown.cancelled() => Next::End,
                    change = self.follower.changes.recv() => self.after(change),
                    // Back again: what happened meanwhile was told to nobody.
                    known = self.follower.broker.changed() => if known.is_ok() { Next::Refresh } else { Next::End },
                    _ = poll.tick() => if *self.follower.broker.borrow() { Next::Nothing } else { Next::Refresh },
                    _ = check.tick() => Next::CheckSession,
                };
                let orders = match next {
                    Next::Fetch(order_id, version) => self.fetch(order_id, version).await,
                    Next::Refresh => self.refresh().await,
                    Next::CheckSession if self.has_ended().await => break,
                    Next::CheckSession | Next::Nothing => Vec::new(),
                    Next::End => break,
                };
                for order in orders {
                    yield Event::default().event("order").json_data(&order);
                }
            }
        }
    }

    fn after(&self, change: Result<Change, RecvError>) -> Next {
        match change {
            Ok(Change::Order { order_id, version }) => Next::Fetch(order_id, version),
            Ok(Change::SessionEnded(session)) if session == self.consumer.session => Next::End,
            Ok(Change::SessionEnded(_)) => Next::Nothing,
            Err(RecvError::Lagged(_)) => Next::Refresh,
            Err(RecvError::Closed) => Next::End,
        }
    }

    /// Notes what is sent; false where the client has it already.
    fn remember(&mut self, order: &Order) -> bool {
        let state = (order.version, order.status.is_active());
        match self.sent.insert(order.order_id.clone(), state) {
            Some((version, _)) if version > order.version => {
                self.sent.insert(order.order_id.clone(), (version, state.1));
                false
            }
            Some((version, _)) => version < order.version,
            None => true,
        }
    }

    async fn fetch(&mut self, order_id: String, version: i64) -> Vec<Order> {
        if self.sent.get(&order_id).is_some_and(|(sent, _)| *sent >= version) {
            return Vec::new();
        }
        match self.ask(order_id).await {
            Ok(order) if self.remember(&order) => vec![order],
            Ok(_) => Vec::new(),
            Err(refused) => {
                tracing::warn!(reason = %refused.error.reason, "a change was not read; the next one brings it");
                Vec::new()
            }
        }
    }

    /// Everything under way, and what was under way when it was last sent.
    async fn refresh(&mut self) -> Vec<Order> {
        let Ok(mut orders) = self.active().await else {
            return Vec::new();
        };
        let left: Vec<String> = self
            .sent
            .iter()
            .filter(|(id, (_, active))| *active && !orders.iter().any(|order| order.order_id == **id))
            .map(|(id, _)| id.clone())
            .collect();
        for order_id in left {
            orders.extend(self.ask(order_id).await);
        }
        orders.retain(|order| self.remember(order));
        orders
    }

    async fn active(&self) -> Result<Vec<Order>, ApiError> {
        let mut ordering = self.gateway.clients.ordering(&self.consumer.call);
        let list = ordering
            .list_active_orders(ordering::ListActiveOrdersRequest {})
            .await?
            .into_inner();
        Ok(OrderList::from(list).orders)
    }

    async fn ask(&self, order_id: String) -> Result<Order, ApiError> {
        let mut ordering = self.gateway.clients.ordering(&self.consumer.call);
        Ok(ordering
            .get_order(ordering::GetOrderRequest { order_id })
            .await?
            .into_inner()
            .into())
    }

    async fn has_ended(&self) -> bool {
        let looked_up = session::look_up(&self.gateway, &self.consumer.call.as_gateway(), &self.token).await;
        looked_up.is_err_and(|refused| refused.error.code == ErrorCode::Unauthenticated)
    }
}
