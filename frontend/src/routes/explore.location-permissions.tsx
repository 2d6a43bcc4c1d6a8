import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { LocationReasons } from "@/features/stores/LocationReasons";
import { type GeolocationState, requestPosition, useGeolocation } from "@/features/stores/use-geolocation";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { useGoBack } from "@/shell/use-go-back";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";

export const Route = createFileRoute("/explore/location-permissions")({
  component: LocationPermissions,
});

/** Explains why the app uses the location, and requests it. The app works without it, too. */
function LocationPermissions(): ReactNode {
  const geolocation = useGeolocation();
  const goBack = useGoBack();
  // A known location stays if the device cannot find a new one; a denial removes it.
  const [update, setUpdate] = useState<GeolocationState["state"]>();
  const state = update ?? geolocation.state;
  const shareLocation = async () => {
    setUpdate("locating");
    const outcome = await requestPosition();
    setUpdate(outcome.state);
    if (outcome.state === "found") goBack({ to: "/explore" }, Route.fullPath);
  };
  return (
    <Page
      header={<Header title="Your location" up={{ to: "/explore" }} />}
      bar={
        <BottomBar>
          <div className="grid w-full gap-1">
            <Button big busy={state === "locating"} onClick={shareLocation}>
              {geolocation.state === "found" ? "Update my location" : "Use my location"}
            </Button>
            <Link to="/explore" replace className={buttonVariants("link", { big: true })}>
              Search by street instead
            </Link>
          </div>
        </BottomBar>
      }
    >
      <LocationReasons state={state} />
    </Page>
  );
}
