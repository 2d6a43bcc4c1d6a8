import type { ReactNode } from "react";

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
/** Monday, Wednesday and Friday (specification section 9), as indexes of {@link DAYS}. */
const BONUS_DAYS: readonly number[] = [0, 2, 4];

/** The week with its bonus days. `day` is a calendar day: "2026-11-23". */
export function BonusDays({ day }: { day: string }): ReactNode {
  const today = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const next = BONUS_DAYS.find((bonus) => bonus > today) ?? BONUS_DAYS[0] ?? 0;
  return (
    <div className="rounded-card bg-surface p-4">
      <p className="t-strong">
        {BONUS_DAYS.includes(today) ? "Today is a bonus day" : `Next bonus day: ${DAYS[next]}`}
      </p>
      <p className="t-small mt-0.5 text-ink-2">There's a new offer every Monday, Wednesday and Friday.</p>
      <ol aria-label="Bonus days" className="mt-3 grid max-w-90 grid-cols-7 gap-1">
        {DAYS.map((name, index) => (
          <li key={name} className="grid justify-items-center gap-1.5">
            <span className="sr-only">
              {name}
              {BONUS_DAYS.includes(index) && ", bonus day"}
              {index === today && ", today"}
            </span>
            <span
              aria-hidden="true"
              className={`t-tag ${index === today ? "font-bold text-ink" : "font-medium text-ink-2"}`}
            >
              {name.charAt(0)}
              <span className="large-text:hidden">{name.slice(1, 3)}</span>
            </span>
            <span
              aria-hidden="true"
              className={`size-4 rounded-full ${BONUS_DAYS.includes(index) ? "bg-crema" : "bg-crema-track"} ${index === today ? "outline-2 outline-ink outline-offset-2" : ""}`}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}
