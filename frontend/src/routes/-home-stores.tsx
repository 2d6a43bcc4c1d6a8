import type { ReactNode } from "react";
import { NearStores } from "@/features/stores/NearStores";
import { deferModule } from "@/lib/defer-module";
import { useIdleReady } from "@/lib/use-idle-ready";

const popular = deferModule(() => import("./-home-popular"));

interface HomeStoresProps {
  count: number;
  /** Shows the popular drinks below, for visitors who are signed out. */
  withPopular?: boolean;
}

/** The nearest stores on home. */
export function HomeStores({ count, withPopular = false }: HomeStoresProps): ReactNode {
  return (
    <>
      <NearStores count={count} />
      {withPopular && <Popular />}
    </>
  );
}

/** Loads when the browser is idle: a first visit shows the stores before the drawings of drinks. */
function Popular(): ReactNode {
  const module = popular.use(useIdleReady());
  return (
    module && (
      <section aria-labelledby="order-again" className="empty:hidden">
        <module.PopularItems />
      </section>
    )
  );
}
