import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import { formatMoney } from "@/lib/money";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Sheet } from "@/ui/Sheet";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";
import { modificationsQuery, sizesQuery } from "./option-queries";
import { calculateUnitPrice, findCheapestSize } from "./pricing";
import type { ItemOptions, MenuItem } from "./queries";
import { SizePicker } from "./SizePicker";
import { createDefaultSelection, findSize, selectSize } from "./selection";

interface SizeSheetProps {
  storeId: string;
  item: MenuItem;
  onChoose: (sizeId: string) => void;
}

/** Chooses the size of an item that is added from the menu with its default choices. */
export default function SizeSheet({ storeId, item, onChoose }: SizeSheetProps): ReactNode {
  const { data: sizes, error } = useQuery(sizesQuery(storeId, item.itemId));
  const { data: modifications } = useQuery(modificationsQuery(storeId, item.itemId));
  if (sizes && modifications) {
    return <Sizes storeId={storeId} item={{ ...item, sizes, modifications }} onChoose={onChoose} />;
  }
  return (
    <Sheet title={item.name}>
      {error ? (
        <p role="alert" className="text-ink-2">
          {errorMessage(error)}
        </p>
      ) : (
        <Loading label="Loading sizes">
          <SkeletonBlock className="h-32" />
        </Loading>
      )}
    </Sheet>
  );
}

interface SizesProps {
  storeId: string;
  item: ItemOptions;
  onChoose: (sizeId: string) => void;
}

function Sizes({ storeId, item, onChoose }: SizesProps): ReactNode {
  const modal = useModal();
  // The menu shows the price of this size with its default choices.
  const [sizeId, setSizeId] = useState(() => findCheapestSize(item));
  const selection = selectSize(item, createDefaultSelection(item), sizeId);
  const price = calculateUnitPrice(item, selection);
  const isSoldOut = !price || findSize(item, selection)?.soldOut === true;
  const choose = () => {
    modal?.close();
    onChoose(selection.sizeId);
  };
  return (
    <Sheet
      title={item.name}
      description="Choose a size"
      action={
        <Button big disabled={isSoldOut} onClick={choose}>
          <span className="num">{isSoldOut ? "Sold out today" : `Add to cart · ${formatMoney(price)}`}</span>
        </Button>
      }
    >
      <SizePicker item={item} selection={selection} onChange={setSizeId} />
      <div className="pt-2 text-center">
        <Link
          to="/store/$storeId/item/$itemId"
          params={{ storeId, itemId: item.itemId }}
          search={{ size: selection.sizeId }}
          onClick={() => modal?.close()}
          className={buttonVariants("link")}
        >
          Customize
        </Link>
      </div>
    </Sheet>
  );
}
