/** Runs each function in a task of its own, so that none of them delays a tap. */
export async function runInSeparateTasks(...steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    step();
    await new Promise((resolve) => setTimeout(resolve));
  }
}
