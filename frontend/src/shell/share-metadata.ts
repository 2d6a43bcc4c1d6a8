import { useEffect } from "react";

interface ShareMetadata {
  title: string;
  description: string;
}

/**
 * Sets title, description and url of shared links (specification section 2) while the screen is open, and restores the previous
 * values afterwards. The gateway writes them into the page, for clients without scripts.
 */
export function useShareMetadata({ title, description }: ShareMetadata): void {
  useEffect(() => {
    const restore = [
      setMeta("property", "og:title", title),
      setMeta("property", "og:description", description),
      setMeta("name", "description", description),
      setMeta("property", "og:url", location.href),
    ];
    return () => {
      for (const undo of restore) undo();
    };
  }, [title, description]);
}

/** Sets the content of a meta element and returns a function that restores it. */
function setMeta(attribute: "name" | "property", key: string, content: string): () => void {
  const existing = document.head.querySelector<HTMLMetaElement>(`meta[${attribute}="${key}"]`);
  if (existing) {
    const previous = existing.content;
    existing.content = content;
    return () => {
      existing.content = previous;
    };
  }
  const created = document.createElement("meta");
  created.setAttribute(attribute, key);
  created.content = content;
  document.head.append(created);
  return () => created.remove();
}
