import StoreIcon from "lucide-react/icons/store";
import { type ReactNode, useState } from "react";

interface StorePhotoProps {
  /** The address of a photo or a drawn picture; empty without one. */
  src: string;
}

/** The picture of a store. Decorative: the name of the store is beside it. Hidden at large text sizes. */
export function StorePhoto({ src }: StorePhotoProps): ReactNode {
  const [failedSrc, setFailedSrc] = useState<string>();
  return (
    <span
      aria-hidden="true"
      className="large-text:hidden grid h-12 w-16 shrink-0 place-items-center overflow-hidden rounded-small bg-sunk text-ink-3"
    >
      {src === "" || src === failedSrc ? (
        <StoreIcon size={24} strokeWidth={1.75} />
      ) : (
        <img
          src={src}
          alt=""
          width={64}
          height={48}
          loading="lazy"
          decoding="async"
          onError={() => setFailedSrc(src)}
          className="size-full object-cover dark:brightness-85"
        />
      )}
    </span>
  );
}
