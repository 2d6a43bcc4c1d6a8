import { type RefObject, useEffect, useRef } from "react";

/** Returns whether the component is on the screen, for a mutation that ends after the consumer may have left. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
