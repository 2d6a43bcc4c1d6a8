import { createFileRoute, Link, useCanGoBack, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { locate, useWhereabouts } from "@/features/stores/position";
import { WhyLocation } from "@/features/stores/WhyLocation";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { Button } from "@/ui/Button";
import { look } from "@/ui/press";

export const Route = createFileRoute("/explore/location-permissions")({
  head: () => ({ meta: [{ title: "Your location · Order Ahead" }] }),
  component: LocationPermissions,
});

/** Asks for the position after saying why, on the person's own press; everything works without it too. */
function LocationPermissions(): ReactNode {
  const whereabouts = useWhereabouts();
  const router = useRouter();
  const inside = useCanGoBack();
  const leave = () =>
    inside ? router.history.back() : void router.navigate({ to: "/explore", replace: true });
  const ask = async () => {
    const { state } = await locate();
    if (state === "found") leave();
  };
  return (
    <Page
      header={<Header title="Your location" up="/explore" />}
      bar={
        <BottomBar>
          <div className="grid w-full gap-1">
            <Button big busy={whereabouts.state === "looking"} onClick={ask}>
              {whereabouts.state === "found" ? "Update my location" : "Use my location"}
            </Button>
            <Link to="/explore" replace className={look("link", { big: true })}>
              Search by street instead
            </Link>
          </div>
        </BottomBar>
      }
    >
      <WhyLocation state={whereabouts.state} />
    </Page>
  );
}
