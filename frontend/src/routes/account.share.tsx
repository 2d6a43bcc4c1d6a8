import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import Copy from "lucide-react/icons/copy";
import Share from "lucide-react/icons/share";
import type { ReactNode } from "react";
import { DrinkArt } from "@/art/DrinkArt";
import { artFor } from "@/art/recipes/art-for";
import { shareCodeQuery } from "@/features/share-code/queries";
import { copyCode, shareInvitation } from "@/features/share-code/share-link";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { Button } from "@/ui/Button";

export const Route = createFileRoute("/account/share")({
  beforeLoad: requireSession,
  component: Invite,
});

/** The consumer's share code, what both sides get, and ways to send it. */
function Invite(): ReactNode {
  const session = useSession();
  if (!session) return null;
  const { shareCode } = session;
  return (
    <Page
      header={<Header title="Invite a friend" up={{ to: "/account" }} />}
      bar={
        <BottomBar>
          <Button big onClick={() => void shareInvitation(shareCode)}>
            <Share aria-hidden="true" size={20} /> Share your link
          </Button>
        </BottomBar>
      }
    >
      <TwoDrinks />
      <div className="grid gap-5 px-gutter pt-6">
        <div>
          <h2 className="t-title">Coffee is better together</h2>
          <Reward shareCode={shareCode} />
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-surface py-3 pr-3 pl-5">
          <div className="flex-1">
            <p className="t-small text-ink-2">Your code</p>
            <p className="t-title num whitespace-nowrap">{shareCode}</p>
          </div>
          <Button variant="soft" aria-label="Copy your code" onClick={() => void copyCode(shareCode)}>
            <Copy aria-hidden="true" size={20} /> Copy
          </Button>
        </div>
      </div>
    </Page>
  );
}

/** Hidden if it fails to load: the code works anyway. */
function Reward({ shareCode }: { shareCode: string }): ReactNode {
  const { data } = useQuery(shareCodeQuery(shareCode));
  return (
    <p className="num mt-2 min-h-12 text-ink-2">
      {data &&
        `You get ${data.referrerPoints} points and your friend gets ${data.friendPoints}, once they pick up their first order.`}
    </p>
  );
}

const DRINKS = [
  { left: -150, params: artFor("latte", { size: 1, here: true }) },
  { left: -10, params: artFor("latte", { size: 2, iced: true, milk: "oat" }) },
];

function TwoDrinks(): ReactNode {
  return (
    <div
      aria-hidden="true"
      className="counter-scene relative mx-4 mt-3 h-56 overflow-hidden rounded-sheet large-text:hidden"
    >
      <div className="absolute inset-x-0 bottom-0 h-7 border-line border-t bg-counter" />
      {DRINKS.map(({ left, params }) => (
        <div
          key={left}
          className="absolute -bottom-0.5 h-52 w-40 [&_svg]:overflow-visible"
          style={{ left: `calc(50% + ${left}px)` }}
        >
          <DrinkArt params={params} box="30 50 180 250" />
        </div>
      ))}
    </div>
  );
}
