-- $1: id of the order
SELECT created_at AS at, 'hold created' || coalesce(': ' || amount || ' cents', ' as a tombstone') AS text, NULL::text AS trace_parent
FROM holds WHERE order_id = $1
UNION ALL
SELECT changed_at, 'hold is ' || state, NULL FROM holds WHERE order_id = $1 AND changed_at > created_at
UNION ALL
SELECT at, 'posting ' || postings.kind || ': ' || amount || ' ' || postings.unit || ' cents from ' || sender.kind || ' to ' || receiver.kind, NULL
FROM ledger.postings
JOIN ledger.accounts AS sender ON sender.id = from_account
JOIN ledger.accounts AS receiver ON receiver.id = to_account
WHERE subject = $1
