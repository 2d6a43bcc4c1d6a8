import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Bell from "lucide-react/icons/bell";
import type { ReactNode } from "react";
import { IconButton } from "@/ui/IconButton";
import { useSession } from "./session";
import { unseenQuery } from "./unseen";

/** The way to the inbox, with the count of what was not seen. Nothing where nobody is signed in. */
export function InboxButton(): ReactNode {
  const session = useSession();
  const navigate = useNavigate();
  const { data: unseen = 0 } = useQuery({ ...unseenQuery, enabled: Boolean(session) });
  if (!session) return null;
  return <IconButton icon={Bell} label="Inbox" count={unseen} onClick={() => navigate({ to: "/inbox" })} />;
}
