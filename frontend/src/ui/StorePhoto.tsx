import StoreIcon from "lucide-react/icons/store";
import { type ReactNode, useState } from "react";

interface StorePhotoProps {
  storeId: string;
  /** The address of a photo or a drawn picture; empty without one. */
  src: string;
}

/**
 * The picture of a store: its photo, or the drawn picture if it has none or the photo does not load. Decorative: the name of the store is
 * beside it. Hidden at large text sizes.
 */
export function StorePhoto({ storeId, src }: StorePhotoProps): ReactNode {
  const [failed, setFailed] = useState<readonly string[]>([]);
  const drawn = `/api/consumer/store/photo?${new URLSearchParams({ storeId })}`;
  const shown = (src === "" ? [] : [src, drawn]).find((address) => !failed.includes(address));
  return (
    <span
      aria-hidden="true"
      className="large-text:hidden grid h-12 w-16 shrink-0 place-items-center overflow-hidden rounded-small bg-sunk text-ink-3"
    >
      {shown === undefined ? (
        <StoreIcon size={24} strokeWidth={1.75} />
      ) : (
        <img
          key={shown}
          src={shown}
          alt=""
          width={64}
          height={48}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed([...failed, shown])}
          className="size-full object-cover dark:brightness-75"
        />
      )}
    </span>
  );
}
