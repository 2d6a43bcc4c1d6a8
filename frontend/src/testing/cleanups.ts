const cleanups: (() => void)[] = [];

/** Runs the function after the current test, while the mock server still has the handlers of the test. */
export function onTestEnd(cleanup: () => void): void {
  cleanups.push(cleanup);
}

export function runCleanups(): void {
  for (const cleanup of cleanups.splice(0)) cleanup();
}
