//! Queues of a stack.

use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    options::{BasicPublishOptions, QueuePurgeOptions},
};

use super::Stack;

impl Stack {
    /// Adds a message to a queue, named without the prefix.
    pub async fn publish_to_queue(&self, queue: &str, message: &[u8]) {
        let (channel, name) = self.queue(queue).await;
        let published = channel.basic_publish(
            "".into(),
            name.into(),
            BasicPublishOptions::default(),
            message,
            BasicProperties::default(),
        );
        published.await.unwrap().await.unwrap();
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
