import { createFileRoute, Link, useCanGoBack, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LocationReasons } from "@/features/stores/LocationReasons";
import { requestPosition, useGeolocation } from "@/features/stores/use-geolocation";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";

export const Route = createFileRoute("/explore/location-permissions")({
  head: () => ({ meta: [{ title: "Your location · Order Ahead" }] }),
  component: LocationPermissions,
});

/** Asks for the position after saying why, on the person's own press; everything works without it too. */
function LocationPermissions(): ReactNode {
  const geolocation = useGeolocation();
  const router = useRouter();
  const inside = useCanGoBack();
  const leave = () =>
    inside ? router.history.back() : void router.navigate({ to: "/explore", replace: true });
  const ask = async () => {
    const { state } = await requestPosition();
    if (state === "found") leave();
  };
  return (
    <Page
      header={<Header title="Your location" up="/explore" />}
      bar={
        <BottomBar>
          <div className="grid w-full gap-1">
            <Button big busy={geolocation.state === "locating"} onClick={ask}>
              {geolocation.state === "found" ? "Update my location" : "Use my location"}
            </Button>
            <Link to="/explore" replace className={buttonVariants("link", { big: true })}>
              Search by street instead
            </Link>
          </div>
        </BottomBar>
      }
    >
      <LocationReasons state={geolocation.state} />
    </Page>
  );
}
