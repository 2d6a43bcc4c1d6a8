-- Compares orders with charges and holds. Runs in the database of ordering; \copy reads the others through psql.
-- Writes only temporary tables. An order with an event that payments or gift-cards has not consumed yet is left out: its charge and
-- hold follow the event. A charge that has not reached its target state yet fits if the target does: payments calls the provider after it
-- has consumed the event, for as long as the provider is unavailable, and `payments audit` compares these effects.
SET client_min_messages = warning;
CREATE TEMPORARY TABLE charges (order_id uuid PRIMARY KEY, state text, target_state text, amount bigint);
CREATE TEMPORARY TABLE holds (order_id uuid PRIMARY KEY, state text, amount bigint);
\copy charges FROM PROGRAM 'psql "$PAYMENTS_DATABASE_URL" -Xqc "COPY (SELECT subject_id, state, target_state, amount_minor_units FROM charges WHERE purpose = ''order'') TO STDOUT"'
\copy holds FROM PROGRAM 'psql "$GIFT_CARDS_DATABASE_URL" -Xqc "COPY (SELECT order_id, state, amount FROM holds) TO STDOUT"'

-- The events of ordering that both services consume. Those of the day before the restored time may be long ago, so the records of their
-- consumption are counted back from the oldest event. The minute is for clocks that differ.
CREATE TEMPORARY TABLE events AS
SELECT event_id, aggregate_id, occurred_at
FROM (SELECT event_id, kind, aggregate_id, occurred_at FROM outbox
      UNION ALL SELECT event_id, kind, aggregate_id, occurred_at FROM published_events) AS events
WHERE kind IN ('ordering.OrderAccepted', 'ordering.OrderAbandoned', 'ordering.OrderCancelled', 'ordering.OrderRejected');
SELECT extract(epoch FROM coalesce(min(occurred_at), now()) - interval '1 minute') AS since FROM events \gset
\setenv SINCE :since
CREATE TEMPORARY TABLE consumed (service text, event_id uuid);
\copy consumed FROM PROGRAM 'psql "$PAYMENTS_DATABASE_URL" -Xqc "COPY (SELECT ''payments'', event_id FROM consumed_events WHERE consumed_at >= to_timestamp($SINCE)) TO STDOUT"'
\copy consumed FROM PROGRAM 'psql "$GIFT_CARDS_DATABASE_URL" -Xqc "COPY (SELECT ''gift-cards'', event_id FROM consumed_events WHERE consumed_at >= to_timestamp($SINCE)) TO STDOUT"'
CREATE INDEX ON consumed (event_id, service);
ANALYZE consumed;

-- Decodes the text of an id: 26 digits of base 32 after the prefix, of which the first two bits are zero.
CREATE FUNCTION pg_temp.uuid_of(id text) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN (
  WITH digits AS (
    SELECT substr(string_agg((strpos('0123456789abcdefghjkmnpqrstvwxyz', digit) - 1)::bit(5)::text, '' ORDER BY place), 3) AS bits
    FROM string_to_table(split_part(id, '_', 2), NULL) WITH ORDINALITY AS digit (digit, place)
  )
  SELECT string_agg(lpad(to_hex(substr(bits, part, 32)::bit(32)::bigint), 8, '0'), '' ORDER BY part)::uuid
  FROM digits, generate_series(1, 97, 32) AS part
);

CREATE TEMPORARY TABLE waiting AS
SELECT DISTINCT pg_temp.uuid_of(aggregate_id) AS order_id
FROM events CROSS JOIN (VALUES ('payments'), ('gift-cards')) AS consumer (service)
WHERE NOT EXISTS (SELECT FROM consumed WHERE consumed.service = consumer.service AND consumed.event_id = events.event_id);
SELECT count(*) AS waiting FROM waiting \gset
\warn :waiting 'orders with events that are not consumed yet'

WITH money AS (
  SELECT orders.id, orders.status, orders.tender, orders.total, orders.currency,
         CASE WHEN tender = 'joepass' THEN total ELSE stored_value_amount END AS stored_part,
         CASE WHEN tender = 'joepass' THEN 0 ELSE total - stored_value_amount END AS charged_part,
         coalesce(charges.state, 'none') AS charge, coalesce(charges.target_state, 'none') AS target, charges.amount AS charge_amount,
         -- The order was made and its payment failed afterwards, which is reported when it happens.
         reason <> '' AS is_unpaid,
         coalesce(holds.state, 'none') AS hold, holds.amount AS hold_amount,
         CASE WHEN status IN ('scheduled', 'placed') THEN 'held'
              WHEN status IN ('accepted', 'preparing', 'ready', 'completed') THEN 'captured'
              WHEN status = 'payment_pending' THEN 'open'
              ELSE 'released' END AS required
  FROM orders LEFT JOIN charges ON charges.order_id = id LEFT JOIN holds ON holds.order_id = id
), violations AS (
  SELECT id, 'the charge does not fit the order' AS rule FROM money
  WHERE total > 0 AND tender IN ('card', 'apple', 'google') AND NOT CASE required
    WHEN 'held' THEN charge = 'authorized'
    WHEN 'captured' THEN is_unpaid OR charge IN ('succeeded', 'disputed', 'refunded') OR (charge = 'authorized' AND target = 'captured')
    WHEN 'released' THEN target = 'released' OR charge IN ('none', 'voided', 'declined', 'refunded')
    ELSE true END
  UNION ALL
  SELECT id, 'the debit does not fit the order' FROM money
  WHERE total > 0 AND tender = 'bank' AND NOT CASE required
    WHEN 'held' THEN charge IN ('authorized', 'processing', 'succeeded')
    WHEN 'captured' THEN is_unpaid OR charge IN ('authorized', 'processing', 'succeeded', 'returned', 'disputed', 'refunded')
    -- A refund waits until the debit settles.
    ELSE true END
  UNION ALL
  SELECT id, 'the hold does not fit the order' FROM money
  WHERE stored_part > 0 AND NOT CASE required
    WHEN 'held' THEN hold = 'held'
    WHEN 'captured' THEN hold = 'captured'
    WHEN 'released' THEN hold IN ('none', 'released', 'refunded', 'closed')
    ELSE true END
  UNION ALL
  SELECT id, 'another tender is charged too' FROM money
  WHERE (charged_part = 0 AND target <> 'released' AND charge NOT IN ('none', 'voided', 'declined', 'refunded'))
     OR (stored_part = 0 AND hold NOT IN ('none', 'released', 'refunded', 'closed'))
  UNION ALL
  SELECT id, 'the amount is not the part of the order' FROM money
  WHERE charge_amount <> charged_part OR hold_amount <> stored_part
  UNION ALL
  SELECT order_id, 'the charge belongs to no order' FROM charges
  WHERE state <> 'voided' AND target_state <> 'released' AND order_id NOT IN (SELECT id FROM money)
  UNION ALL
  SELECT order_id, 'the hold belongs to no order' FROM holds WHERE state <> 'closed' AND order_id NOT IN (SELECT id FROM money)
)
SELECT 'order ' || violations.id || ': ' || rule ||
       coalesce(' (' || status || ', ' || tender || ', ' || total || ' ' || currency || '; charge ' || charge || ', hold ' || hold || ')', '')
FROM violations LEFT JOIN money USING (id) WHERE violations.id NOT IN (SELECT order_id FROM waiting) ORDER BY violations.id;
