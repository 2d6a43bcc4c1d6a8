import UserRound from "lucide-react/icons/user-round";
import { type ReactNode, useState } from "react";

interface AvatarProps {
  /** The address of the photo; empty for none. */
  photo: string;
  firstName: string;
  lastName: string;
  /** Classes that set the size. */
  className?: string;
}

/** The photo of a person in a circle, or their initials. */
export function Avatar({
  photo,
  firstName,
  lastName,
  className = "size-16 font-display font-semibold text-[24px] leading-none",
}: AvatarProps): ReactNode {
  const [failed, setFailed] = useState("");
  const initials = firstName.charAt(0) + lastName.charAt(0);
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center overflow-hidden rounded-full bg-sunk text-ink-2 ${className}`}
    >
      {photo !== "" && photo !== failed ? (
        <img src={photo} alt="" className="size-full object-cover" onError={() => setFailed(photo)} />
      ) : (
        initials || <UserRound size={28} strokeWidth={1.5} />
      )}
    </span>
  );
}
