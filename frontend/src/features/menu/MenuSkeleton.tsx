import type { ReactNode } from "react";
import { BackButton } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { Loading, SkeletonBlock, SkeletonCup, SkeletonLine } from "@/ui/Skeleton";
// With the styles of the page, so that the menu does not wait for a file of its own.
import "./menu-tile.css";

export function MenuSkeleton(): ReactNode {
  return (
    <Page
      header={
        <div className="pt-2">
          <div className="px-2.5">
            <BackButton up={{ to: "/explore" }} />
          </div>
          <div className="px-gutter pb-3">
            <div className="flex items-start gap-4">
              <div className="min-w-0 flex-1">
                {/* In the page that the gateway serves, the name of the store replaces the line. */}
                <div data-name="" className="t-display wrap-anywhere">
                  <SkeletonLine className="h-9 w-3/4" />
                </div>
                <SkeletonLine className="my-2 w-2/5" />
              </div>
              <SkeletonBlock className="large-text:hidden h-12 w-16 shrink-0" />
            </div>
            <SkeletonLine className="mt-2 w-11/12" />
          </div>
        </div>
      }
    >
      <Loading label="Loading the menu">
        <ul className="flex gap-1.5 overflow-hidden border-line border-b px-gutter py-1">
          <CategorySkeleton />
        </ul>
        <Tiles />
      </Loading>
    </Page>
  );
}

/** Placeholders of the categories. Here, so that the first script does not contain their bar. */
export function CategorySkeleton(): ReactNode {
  return ["w-24", "w-28", "w-20", "w-24"].map((width, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no ids
    <li key={index} aria-hidden="true" className="flex h-11 shrink-0 items-center">
      <SkeletonBlock className={`h-9 rounded-pill ${width}`} />
    </li>
  ));
}

/** Below the header and the categories, which are loaded before the menu. */
export function MenuListSkeleton(): ReactNode {
  return (
    <Loading label="Loading the menu">
      <Tiles />
    </Loading>
  );
}

function Tiles(): ReactNode {
  return (
    <div className="px-gutter pt-6">
      <SkeletonLine className="mb-4 h-5 w-32" />
      <div className="grid grid-cols-2 gap-x-3 gap-y-5">
        {[0, 1, 2, 3].map((tile) => (
          <div key={tile}>
            <div className="relative grid h-44 items-end justify-center overflow-hidden rounded-card bg-surface">
              <div className="absolute inset-x-0 bottom-0 h-7.5 bg-counter" />
              <SkeletonCup className="relative mb-3 h-28" />
            </div>
            <SkeletonLine className="mt-3 w-3/4" />
            <SkeletonLine className="mt-2 h-3 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}
