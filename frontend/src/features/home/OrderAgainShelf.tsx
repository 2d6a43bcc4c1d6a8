import type { ReactNode } from "react";
import { LazyItemArt } from "@/art/LazyItemArt";
import { sizeIndexOf } from "@/art/size-index";
import { customChoices, formatLine } from "@/lib/format-line";
import type { Order } from "./queries";
import type { RecentOrder } from "./recent-orders";
import "./home.css";

const DRINK_BOX = "36 58 168 236";
const FOOD_BOX = "10 56 220 244";

interface OrderAgainShelfProps {
  usuals: readonly RecentOrder[];
  /** Its button: orders the same again, and says what that costs. */
  again: (order: Order) => ReactNode;
}

/** What was ordered before, on one counter; it scrolls sideways, so the third cup is cut. */
export function OrderAgainShelf({ usuals, again }: OrderAgainShelfProps): ReactNode {
  return (
    <div className="shelf">
      <ul>
        {usuals.map(({ order, line, more }) => {
          const words = formatLine(line.sizeName, customChoices(line.choices));
          const drink = line.kind === "drink";
          return (
            <li key={order.orderId}>
              <div className="shelf-cup">
                <LazyItemArt
                  art={line.art}
                  selection={{ sizeIndex: sizeIndexOf(line.art, line.sizeName), choices: line.choices }}
                  box={drink ? DRINK_BOX : FOOD_BOX}
                />
              </div>
              <h3 className="t-strong mt-3 truncate leading-[1.25]">{line.itemName}</h3>
              <p className="t-small mb-2.5 truncate text-ink-2">
                {more > 0 ? `and ${more} more` : words || "No changes"}
              </p>
              <div className="*:w-full *:px-1.5 *:text-[0.875rem]">{again(order)}</div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The house's own three, for who has ordered nothing yet. */
const HOUSE = [
  { kind: "drink", base: "latte", iced: true },
  { kind: "drink", base: "flat-white" },
  { kind: "drink", base: "cold-brew", foam: "vanilla" },
];

/** A shelf of what might come to stand there. */
export function SampleShelf({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <div aria-hidden="true" className="shelf h-52">
        <ul>
          {HOUSE.map((art) => (
            <li key={art.base}>
              <div className="shelf-cup">
                <LazyItemArt art={art} selection={{ sizeIndex: 1 }} box={DRINK_BOX} />
              </div>
            </li>
          ))}
        </ul>
      </div>
      <div className="px-gutter">{children}</div>
    </>
  );
}
