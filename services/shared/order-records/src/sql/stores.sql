-- $1: id of the order
SELECT reserved_at AS at, 'capacity reserved: ' || make_seconds || ' seconds' AS text, NULL::text AS trace_parent
FROM reservations WHERE order_id = $1 AND reserved_at IS NOT NULL
UNION ALL
SELECT released_at, 'capacity released', NULL FROM reservations WHERE order_id = $1 AND released_at IS NOT NULL
