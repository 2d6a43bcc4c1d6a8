import type { ReactNode } from "react";

/** An email address. If it is longer than the line, it breaks after the @. */
export function EmailAddress({ children }: { children: string }): ReactNode {
  const domain = children.lastIndexOf("@") + 1;
  return (
    <>
      {children.slice(0, domain)}
      <wbr />
      {children.slice(domain)}
    </>
  );
}
