-- The trace that planned a call, which carrying it out links back to; none while tracing is off.
ALTER TABLE effects ADD COLUMN trace_parent text;
