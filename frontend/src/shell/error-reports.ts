/** Reports an error. The code for it loads then, because few visits need it. */
export function report(error: unknown): void {
  import("./send-error-report").then(
    ({ sendErrorReport }) => sendErrorReport(error),
    () => undefined,
  );
}
