import { useEffect } from "react";

interface ShareMetadata {
  title: string;
  description: string;
  /** Name of a picture in `public/share`. */
  image?: string | undefined;
}

/** Metadata of the open screen that depends on its data: the name of a store. */
let ofScreen: ShareMetadata | null = null;
let ofRoute: ShareMetadata | null = null;

/** Sets the metadata of the open route. A screen with its own keeps it. */
export function setRouteMetadata(metadata: ShareMetadata | null): void {
  ofRoute = metadata;
  apply();
}

/** Sets the metadata of a screen with its own title and description while it is open, as the gateway writes them into its page. */
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
  document.title = metadata.title;
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
