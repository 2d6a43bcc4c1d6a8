-- $1: id of the order
SELECT at,
       CASE WHEN ready_at IS NULL THEN 'status ' || status
            ELSE 'ready time changed to ' || to_char(ready_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ', status ' || status
       END || ' (by ' || actor || ', version ' || version || ')' AS text,
       NULL::text AS trace_parent
FROM order_history WHERE order_id = $1
UNION ALL
SELECT arrived_at, 'consumer arrived at the store', NULL FROM orders WHERE id = $1 AND arrived_at IS NOT NULL
UNION ALL
SELECT created_at, 'feedback received', NULL FROM order_feedback WHERE order_id = $1
