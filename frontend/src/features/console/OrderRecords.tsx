import { type ReactNode, useId } from "react";
import { formatRecordTime, type OrderRecord, type OrderTimeline } from "./order-timeline";

/** The records of an order on one time line, and what is missing from it. */
export function OrderRecords({ timeline }: { timeline: OrderTimeline }): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="console-group">
      <h2 id={id} className="t-heading break-words">
        {timeline.orderId}
      </h2>
      <p className="mt-2">{timeline.state}</p>
      {timeline.reason && <p className="text-ink-2">Reason: {timeline.reason}</p>}
      <Notes title="Not read" lines={timeline.notRead} />
      <Notes
        title="Not consumed: in a queue, a dead letter, or older than 30 days"
        lines={timeline.notConsumed}
      />
      <h3 className="t-strong mt-4">Records, times in UTC</h3>
      <ol className="console-records">
        {timeline.records.map((record) => (
          <RecordLine key={`${record.at} ${record.service} ${record.text}`} record={record} />
        ))}
      </ol>
    </section>
  );
}

function RecordLine({ record }: { record: OrderRecord }): ReactNode {
  return (
    <li className="console-record">
      <time dateTime={record.at} className="num text-ink-2">
        {formatRecordTime(record.at)}
      </time>
      <span className="t-strong">{record.service}</span>
      <span className="min-w-0 break-words">
        {record.text}
        {record.traceId && <span className="t-small block text-ink-2">trace {record.traceId}</span>}
      </span>
    </li>
  );
}

function Notes({ title, lines }: { title: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <>
      <h3 className="t-strong mt-4 text-danger">{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}
