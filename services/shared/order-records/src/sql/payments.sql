-- $1: id of the order
WITH charge AS (SELECT * FROM charges WHERE purpose = 'order' AND subject_id = $1),
refund AS (SELECT refunds.* FROM refunds JOIN charge ON charge.id = charge_id)
SELECT created_at AS at,
       'charge created' || coalesce(': ' || amount_minor_units || ' cents by ' || method_kind, ' as a tombstone') ||
       coalesce(', provider id ' || provider_id, '') AS text,
       NULL::text AS trace_parent
FROM charge
UNION ALL
SELECT updated_at,
       'charge is ' || state || ', ' || refunded_minor_units || ' cents refunded, target ' || target_state || ' (version ' || version || ')' ||
       coalesce(': ' || decline_reason, ''),
       NULL
FROM charge
UNION ALL
SELECT created_at, 'effect ' || kind || ' planned', trace_parent
FROM effects WHERE subject_id IN (SELECT id FROM charge UNION ALL SELECT id FROM refund)
UNION ALL
SELECT coalesce(finished_at, due_at),
       'effect ' || kind || CASE state WHEN 'planned' THEN ' is due' ELSE ' ' || state END || ' (' || attempts || ' attempts)' ||
       coalesce(': ' || coalesce(failure_code, last_error), ''),
       trace_parent
FROM effects WHERE subject_id IN (SELECT id FROM charge UNION ALL SELECT id FROM refund)
UNION ALL
SELECT updated_at, 'refund of ' || amount_minor_units || ' cents ' || state || coalesce(', provider id ' || provider_id, ''), NULL
FROM refund
UNION ALL
SELECT debts.created_at,
       'debt of ' || debts.amount_minor_units || ' cents, penalty fee ' || penalty_fee_minor_units ||
       CASE WHEN written_off_at IS NOT NULL THEN ', written off'
            WHEN recovered_at IS NULL THEN ', not recovered' ELSE ', recovered' END,
       NULL
FROM debts JOIN charge ON charge.id = charge_id
UNION ALL
SELECT opened_at, 'dispute of ' || disputes.amount_minor_units || ' cents: ' || reason || ', ' || status, NULL
FROM disputes JOIN charge ON charge.id = charge_id
