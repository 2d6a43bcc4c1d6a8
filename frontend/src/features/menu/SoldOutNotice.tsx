import Info from "lucide-react/icons/info";
import type { ReactNode } from "react";
import { Notice } from "@/ui/Notice";
import { formatChoiceName } from "./format";
import type { Item } from "./queries";
import { findSize, findSoldOutChoices, isOnlySizeSoldOut, type Selection } from "./selection";

/** Lists the selected choices, or the size, that sold out while the screen was open. */
export function SoldOutNotice({ item, chosen }: { item: Item; chosen: Selection }): ReactNode {
  const names = findSoldOutChoices(item, chosen).map(({ group, choice }) => formatChoiceName(group, choice));
  const size = isOnlySizeSoldOut(item, chosen) ? findSize(item, chosen)?.name : undefined;
  const soldOut = [...(size ? [size] : []), ...names];
  return (
    <div role="status">
      {soldOut.length > 0 && !item.soldOut && (
        <div className="px-gutter pt-4">
          <Notice icon={Info}>{soldOut.join(", ")} just sold out. Please choose again.</Notice>
        </div>
      )}
    </div>
  );
}
