import type { ReactNode } from "react";
import { BackButton } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { Loading, SkeletonBlock, SkeletonCup, SkeletonLine } from "@/ui/Skeleton";
import "./item-stage.css";

export function ItemSkeleton(): ReactNode {
  return (
    <Page header={<StageBar />}>
      <Loading label="Loading this item">
        <div className="stage h-93">
          <div className="absolute bottom-5 left-[max(14px,50%-180px)] z-3 grid w-57 justify-center">
            <SkeletonCup onStage className="h-52" />
          </div>
        </div>
        <div className="item-counter">
          <div className="px-gutter">
            <SkeletonLine className="h-8 w-1/2" />
            <SkeletonLine className="mt-3 w-4/5" />
            <div className="mt-4 grid grid-cols-3 gap-2">
              {[0, 1, 2].map((size) => (
                <SkeletonBlock key={size} className="h-32 rounded-choice" />
              ))}
            </div>
            <SkeletonLine className="mt-8 h-5 w-20" />
            <div className="mt-4 flex flex-wrap gap-2">
              {["w-24", "w-32", "w-36", "w-28"].map((width) => (
                <SkeletonBlock key={width} className={`h-11 rounded-pill ${width}`} />
              ))}
            </div>
          </div>
        </div>
      </Loading>
    </Page>
  );
}

function StageBar(): ReactNode {
  return (
    <div className="absolute z-4 px-4 pt-3">
      <BackButton up={{ to: "/explore" }} onStage />
    </div>
  );
}
