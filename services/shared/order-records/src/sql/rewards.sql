-- $1: id of the order
SELECT created_at AS at,
       'discount claimed' || coalesce(': ' || amount || ' cents with ' || code, ' as a tombstone') AS text,
       NULL::text AS trace_parent
FROM claims WHERE order_id = $1
UNION ALL
SELECT changed_at, 'discount is ' || state, NULL FROM claims WHERE order_id = $1 AND changed_at > created_at
UNION ALL
SELECT at, 'posting ' || postings.kind || ': ' || amount || ' points from ' || sender.kind || ' to ' || receiver.kind, NULL
FROM ledger.postings
JOIN ledger.accounts AS sender ON sender.id = from_account
JOIN ledger.accounts AS receiver ON receiver.id = to_account
WHERE subject = $1
UNION ALL
SELECT created_at, 'inbox message ' || kind, NULL FROM messages WHERE order_id = $1
