import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ExploreList } from "@/features/stores/ExploreList";
import { storeFilters } from "@/features/stores/filters";
import { LocationNotice } from "@/features/stores/LocationNotice";
import { Header } from "@/shell/Header";

export const Route = createFileRoute("/explore/")({
  staticData: { tab: "explore" },
  validateSearch: storeFilters,
  component: Explore,
});

function Explore(): ReactNode {
  return (
    <ExploreList
      header={<Header large title="Explore" />}
      notice={<LocationNotice />}
      filters={Route.useSearch()}
    />
  );
}
