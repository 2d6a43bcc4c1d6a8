import { type AnyRouter, type LinkOptions, useRouter } from "@tanstack/react-router";
import { type MouseEvent, useMemo } from "react";

/** The delay before a screen is preloaded, so that passing over a link does not load it. */
const PRELOAD_DELAY_MS = 50;

/** The attributes of a link within the app. */
interface LinkAttributes {
  href: string;
  onClick(event: MouseEvent): void;
  onPointerEnter(): void;
  onPointerLeave(): void;
  onFocus(): void;
  onBlur(): void;
}

/** Returns the attributes of the link to a record. */
export type Links = (id: string) => LinkAttributes;

/**
 * Replaces the links of the router where a screen has many: each of those follows the location and builds its own address. `target`
 * returns the address and the route of a record; the links change only with it.
 */
export function useLinks(target: (id: string) => [href: string, route: LinkOptions]): Links {
  const router = useRouter();
  return useMemo(() => createLinks(router, target), [router, target]);
}

function createLinks(router: AnyRouter, target: (id: string) => [href: string, route: LinkOptions]): Links {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancelPreload = () => clearTimeout(timer);
  return (id) => {
    const [href, route] = target(id);
    const preload = () => {
      cancelPreload();
      timer = setTimeout(() => void router.preloadRoute(route), PRELOAD_DELAY_MS);
    };
    return {
      href,
      onClick(event) {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        void router.navigate(route);
      },
      onPointerEnter: preload,
      onPointerLeave: cancelPreload,
      onFocus: preload,
      onBlur: cancelPreload,
    };
  };
}

/** Returns whether the click asks for neither a new tab nor a new window. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean {
  return button === 0 && !(defaultPrevented || metaKey || ctrlKey || shiftKey || altKey);
}
