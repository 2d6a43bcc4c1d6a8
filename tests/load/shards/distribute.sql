-- Distributes the tables of an order by consumer, each shard of one table beside those of the others.
SELECT create_distributed_table('orders', 'consumer_id', shard_count := 32);
SELECT create_distributed_table(name, 'consumer_id', colocate_with := 'orders')
FROM unnest(ARRAY['order_history', 'idempotency', 'outbox', 'published_events']) AS name;
