import type { AnyRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { pages } from "./pages";

interface ShareMetadata {
  title: string;
  description: string;
  /** Name of a picture in `public/share`. */
  image?: string | undefined;
}

/** Metadata of the open screen that depends on its data: the name of a store. */
let ofScreen: ShareMetadata | null = null;
let ofRoute: ShareMetadata | null = null;

/**
 * Sets the document's title and the metadata of shared links (specification section 2) after each route change. The gateway
 * writes those of the first page, for clients without scripts. Returns a function that stops it.
 */
export function followShareMetadata(router: AnyRouter): () => void {
  const update = () => {
    const path = router.state.matches.at(-1)?.fullPath.replace(/(.)\/$/, "$1");
    ofRoute = (path && pages[path]) || pages["/"] || null;
    apply();
  };
  update();
  return router.subscribe("onResolved", update);
}

/** Sets the metadata of a screen with its own title and description while it is open. */
export function useShareMetadata({ title, description, image }: ShareMetadata): void {
  useEffect(() => {
    const metadata = { title, description, image };
    ofScreen = metadata;
    apply();
    return () => {
      if (ofScreen !== metadata) return;
      ofScreen = null;
      apply();
    };
  }, [title, description, image]);
}

function apply(): void {
  const metadata = ofScreen ?? ofRoute;
  if (!metadata) return;
  const { origin, pathname } = location;
  document.title = ofScreen ? `${ofScreen.title} · Order Ahead` : metadata.title;
  setMeta("name", "description", metadata.description);
  setMeta("property", "og:title", metadata.title);
  setMeta("property", "og:description", metadata.description);
  setMeta("property", "og:url", origin + pathname);
  setMeta("property", "og:image", `${origin}/share/${metadata.image ?? ofRoute?.image ?? "order-ahead"}.jpg`);
}

function setMeta(attribute: "name" | "property", key: string, content: string): void {
  let meta = document.head.querySelector<HTMLMetaElement>(`meta[${attribute}="${key}"]`);
  if (!meta) {
    meta = document.createElement("meta");
    meta.setAttribute(attribute, key);
    document.head.append(meta);
  }
  meta.content = content;
}
