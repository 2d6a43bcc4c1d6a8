/** Tasks that wait for the browser to be idle, in their order. */
const waiting = new Set<() => void>();
let scheduled = false;

/** An upper limit, for pages that are never idle. */
const MAX_WAIT_MS = 500;

/** Runs each task in an idle period of its own, so that none of them delays a tap. */
export const idleQueue = {
  add(task: () => void): void {
    waiting.add(task);
    schedule();
  },
  delete(task: () => void): void {
    waiting.delete(task);
  },
};

function schedule(): void {
  if (scheduled || waiting.size === 0) return;
  scheduled = true;
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "undefined") setTimeout(runNext);
  else requestIdleCallback(runNext, { timeout: MAX_WAIT_MS });
}

function runNext(): void {
  scheduled = false;
  const [task] = waiting;
  if (!task) return;
  waiting.delete(task);
  // Before the task, which may throw.
  schedule();
  task();
}
