import { useState } from "react";

/**
 * The text of the input. The term is a search parameter, which changes some time after a key was pressed, so the input would lose
 * letters if it showed the term.
 */
export function useTypedTerm(term: string, onChange: (term: string) => void) {
  const [text, setText] = useState(term);
  const [lastTerm, setLastTerm] = useState(term);
  /** The typed text that is not the term yet. */
  const [pending, setPending] = useState<string | null>(null);
  if (term !== lastTerm) {
    setLastTerm(term);
    if (term === pending) setPending(null);
    else if (pending === null) setText(term);
  }
  const type = (value: string) => {
    setText(value);
    setPending(value === term ? null : value);
    onChange(value);
  };
  const settle = () => setPending(null);
  return { text, type, settle };
}
