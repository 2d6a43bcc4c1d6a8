import { useQuery } from "@tanstack/react-query";
import Camera from "lucide-react/icons/camera";
import Pencil from "lucide-react/icons/pencil";
import type { ReactNode } from "react";
import type { Profile } from "@/shell/queries";
import { Avatar } from "@/ui/Avatar";
import { EmailAddress } from "@/ui/EmailAddress";
import { IconButton } from "@/ui/IconButton";
import { formatMemberSince } from "./format";
import { userInfoQuery } from "./queries";

interface ProfileCardProps {
  profile: Profile;
  /** As it is shown: "+1 (213) 555 0142". */
  phone: string;
  onEdit: () => void;
  onEditPhoto: () => void;
}

/** Photo, name and contact data, with buttons that change them. */
export function ProfileCard({ profile, phone, onEdit, onEditPhoto }: ProfileCardProps): ReactNode {
  const { data: info } = useQuery(userInfoQuery);
  const { firstName, lastName, email } = profile;
  const photo = profile.photo ?? "";
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return (
    <section
      aria-label="Profile"
      className="relative flex items-center gap-3 large-text:flex-col large-text:items-start rounded-card bg-surface p-4 min-[360px]:gap-4 min-[360px]:p-5"
    >
      <button type="button" onClick={onEditPhoto} className="relative rounded-full">
        <span className="sr-only">{photo === "" ? "Add a photo" : "Change your photo"}</span>
        <Avatar photo={photo} firstName={firstName} lastName={lastName} />
        <span className="absolute -right-1 -bottom-1 grid size-7 place-items-center rounded-full bg-accent-soft text-accent ring-2 ring-surface">
          <Camera aria-hidden="true" size={16} />
        </span>
      </button>
      <div className="min-w-0 flex-1 large-text:w-full">
        <h2 className="t-title pr-9 break-words">{name || "Add your name"}</h2>
        <p className="t-small num mt-1 text-ink-2">{phone}</p>
        {email && (
          <p className="t-small text-ink-2">
            <EmailAddress>{email}</EmailAddress>
          </p>
        )}
        <p className="t-small min-h-5 text-ink-3">
          {info?.memberSince && `Joined ${formatMemberSince(info.memberSince)}`}
        </p>
      </div>
      {/* Beside the name only, so that the lines below it have more space on a narrow phone. */}
      <div className="absolute top-3 right-2">
        <IconButton icon={Pencil} label="Edit your profile" onClick={onEdit} />
      </div>
    </section>
  );
}
