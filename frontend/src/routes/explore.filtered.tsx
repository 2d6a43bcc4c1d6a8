import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ExploreList } from "@/features/stores/ExploreList";
import { storeFilters } from "@/features/stores/filters";
import { Header } from "@/shell/Header";

export const Route = createFileRoute("/explore/filtered")({
  staticData: { tab: "explore" },
  validateSearch: storeFilters,
  component: ExploreFiltered,
});

function ExploreFiltered(): ReactNode {
  return (
    <ExploreList
      header={<Header up={{ to: "/explore" }} title="Search stores" />}
      filters={Route.useSearch()}
    />
  );
}
