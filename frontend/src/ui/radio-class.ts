/** The classes of a radio button at the end of a row. A disabled one is hidden, but keeps its space. */
export const radioClass =
  "edge checked:shadow-[inset_0_0_0_7.5px_var(--accent)] size-6 shrink-0 appearance-none rounded-full disabled:invisible";
