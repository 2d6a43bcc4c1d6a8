//! Queues of a stack.

use jiff::Timestamp;
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    options::{BasicGetOptions, BasicPublishOptions, QueuePurgeOptions},
};

use types::EventId;

use super::{Stack, now};

impl Stack {
    /// Adds a message to a queue, named without the prefix.
    pub async fn publish_to_queue(&self, queue: &str, message: &[u8]) {
        publish(&self.queue(queue).await, message, BasicProperties::default()).await;
    }

    /// Adds an event with an empty payload to the queue of a service, whether or not the queue is bound to its type.
    pub async fn publish_event_to_queue(&self, service: &str, event_type: &str) {
        self.publish_events_to_queue(service, event_type, now(), 1).await;
    }

    /// Adds several such events. Returns their ids.
    pub async fn publish_events_to_queue(
        &self,
        service: &str,
        event_type: &str,
        created_at: Timestamp,
        count: usize,
    ) -> Vec<EventId> {
        let queue = self.queue(service).await;
        let mut ids = Vec::with_capacity(count);
        for _ in 0..count {
            let id = EventId::new(created_at);
            let properties = BasicProperties::default()
                .with_message_id(id.uuid().to_string().into())
                .with_type(event_type.into());
            publish(&queue, &[], properties).await;
            ids.push(id);
        }
        ids
    }

    /// Removes the dead letters of a service and returns the types of those that are events.
    pub async fn take_dead_letters(&self, service: &str) -> Vec<String> {
        let (channel, name) = self.queue(&format!("{service}.dead")).await;
        let mut event_types = Vec::new();
        let options = BasicGetOptions { no_ack: true };
        while let Some(message) = channel.basic_get(name.as_str().into(), options).await.unwrap() {
            let event_type = message.properties.kind().as_ref();
            event_types.push(
                event_type
                    .map(|kind| kind.as_str().to_owned())
                    .unwrap_or_default(),
            );
        }
        event_types
    }

    /// Deletes the messages of a queue, named without the prefix.
    pub async fn empty_queue(&self, queue: &str) {
        let (channel, name) = self.queue(queue).await;
        let purged = channel.queue_purge(name.into(), QueuePurgeOptions::default());
        purged.await.unwrap();
    }

    async fn queue(&self, name: &str) -> (Channel, String) {
        let program = self.program("rewards");
        let url = program.setting("AMQP_URL");
        let connection = Connection::connect(url, ConnectionProperties::default());
        let channel = connection.await.unwrap().create_channel().await.unwrap();
        (channel, format!("{}.{name}", program.setting("BROKER_PREFIX")))
    }
}

async fn publish((channel, name): &(Channel, String), message: &[u8], properties: BasicProperties) {
    let published = channel.basic_publish(
        "".into(),
        name.as_str().into(),
        BasicPublishOptions::default(),
        message,
        properties,
    );
    published.await.unwrap().await.unwrap();
}
