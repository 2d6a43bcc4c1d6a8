import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Bell from "lucide-react/icons/bell";
import type { ReactNode } from "react";
import { IconButton } from "@/ui/IconButton";
import { unseenCountQuery } from "./queries";
import { useSession } from "./session";

/** A link to the inbox with the count of unseen messages, for signed-in consumers. */
export function InboxButton(): ReactNode {
  const session = useSession();
  const navigate = useNavigate();
  const { data: unseen = 0 } = useQuery({ ...unseenCountQuery, enabled: Boolean(session) });
  if (!session) return null;
  return <IconButton icon={Bell} label="Inbox" count={unseen} onClick={() => navigate({ to: "/inbox" })} />;
}
