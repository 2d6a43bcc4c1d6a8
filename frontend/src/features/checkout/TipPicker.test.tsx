import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { cartOptions } from "@/testing/cart";
import { TipPicker } from "./TipPicker";

interface Subtotal {
  subtotal: number;
  isFinal?: boolean;
}

let setTip: (tip: number) => void;
let setSubtotals: (subtotals: Subtotal[]) => void;
const onTip = vi.fn();
beforeEach(() => onTip.mockClear());

/** Renders a picker for each tab. All tabs have the tip of the cart, and each one has the subtotal of its own quote. */
function Tabs(initial: { tip: number; subtotals: Subtotal[] }) {
  const [tip, changeTip] = useState(initial.tip);
  const [subtotals, changeSubtotals] = useState(initial.subtotals);
  setTip = changeTip;
  setSubtotals = changeSubtotals;
  return subtotals.map(({ subtotal, isFinal = true }, index) => (
    <div key={String(index)} role="tabpanel" aria-label={String(index)}>
      <TipPicker
        options={cartOptions.tip}
        subtotal={subtotal}
        isFinal={isFinal}
        value={tip}
        onChange={(value) => {
          onTip(value);
          // Ends an endless exchange of tips.
          if (onTip.mock.calls.length > 20) throw new Error("too many changes");
          changeTip(value);
        }}
        onValidity={() => undefined}
        field={createRef()}
      />
    </div>
  ));
}

const renderTabs = (tip: number, ...subtotals: Subtotal[]) =>
  render(<Tabs tip={tip} subtotals={subtotals} />);

const tab = (index: number) => within(screen.getByRole("tabpanel", { name: String(index) }));
const getSelected = (index = 0) =>
  tab(index).getByRole("radio", { checked: true }).parentElement?.textContent;
const getAmount = (index = 0) =>
  tab(index).getByRole<HTMLInputElement>("textbox", { name: "Tip amount" }).value;

it("recalculates a percentage when the subtotal changes", () => {
  renderTabs(200, { subtotal: 1000 });
  act(() => setSubtotals([{ subtotal: 1500 }]));
  expect(onTip.mock.calls).toEqual([[300]]);
  expect(getSelected()).toBe("20%$3.00");
});

it("recalculates no percentage before the quote of the cart is loaded", () => {
  renderTabs(200, { subtotal: 1000 });
  act(() => setSubtotals([{ subtotal: 950, isFinal: false }]));
  expect(onTip).not.toHaveBeenCalled();
  expect(getSelected()).toBe("20%$1.90");
});

it.each([
  [150, "15%$1.50"],
  [0, "No tip"],
])("selects the percentage of a tip that another tab changed to %d cents", (tip, selected) => {
  renderTabs(200, { subtotal: 1000 });
  act(() => setTip(tip));
  expect(getSelected()).toBe(selected);
  expect(onTip).not.toHaveBeenCalled();
});

it("shows another amount that another tab set", () => {
  renderTabs(200, { subtotal: 1000 });
  act(() => setTip(333));
  expect(getSelected()).toBe("Other");
  expect(getAmount()).toBe("3.33");
  act(() => setTip(444));
  expect(getAmount()).toBe("4.44");
  expect(onTip).not.toHaveBeenCalled();
});

it("keeps an amount that another tab set when the subtotal changes", () => {
  renderTabs(200, { subtotal: 1000 });
  act(() => setTip(333));
  act(() => setSubtotals([{ subtotal: 1500 }]));
  expect(onTip).not.toHaveBeenCalled();
  expect(getAmount()).toBe("3.33");
});

it("keeps a percentage that another tab recalculated first", () => {
  renderTabs(200, { subtotal: 1000 });
  act(() => setTip(300));
  act(() => setSubtotals([{ subtotal: 1000, isFinal: false }]));
  act(() => setSubtotals([{ subtotal: 1500 }]));
  expect(getSelected()).toBe("20%$3.00");
  act(() => setSubtotals([{ subtotal: 2000 }]));
  expect(onTip.mock.calls).toEqual([[400]]);
});

it("takes no percentage of the previous cart for a tip that another tab recalculated", () => {
  renderTabs(200, { subtotal: 1000, isFinal: false });
  // 15 percent of the previous subtotal, and 10 percent of the next one.
  act(() => setTip(150));
  act(() => setSubtotals([{ subtotal: 1500 }]));
  expect(onTip).not.toHaveBeenCalled();
  expect(getSelected()).toBe("10%$1.50");
});

it("changes the tip once per changed subtotal while two tabs have different quotes", () => {
  renderTabs(200, { subtotal: 1000 }, { subtotal: 1000 });
  act(() => setSubtotals([{ subtotal: 1100 }, { subtotal: 1200 }]));
  expect(onTip.mock.calls.length).toBeLessThanOrEqual(2);
  const calls = onTip.mock.calls.length;
  act(() => setSubtotals([{ subtotal: 1100 }, { subtotal: 1100 }]));
  expect(onTip.mock.calls.length).toBeLessThanOrEqual(calls + 1);
});

it("sends a typed amount, and shows in the other tab what this one sends", async () => {
  const user = userEvent.setup();
  renderTabs(200, { subtotal: 1000 }, { subtotal: 1000 });
  await user.click(tab(0).getByRole("radio", { name: "Other" }));
  await user.clear(tab(0).getByRole("textbox", { name: "Tip amount" }));
  await user.type(tab(0).getByRole("textbox", { name: "Tip amount" }), "1.5");
  expect(getAmount(0)).toBe("1.5");
  expect(getSelected(0)).toBe("Other");
  expect(getSelected(1)).toBe("15%$1.50");
  expect(onTip).toHaveBeenLastCalledWith(150);
});

it("sends a typed amount once a larger subtotal permits it", async () => {
  const user = userEvent.setup();
  renderTabs(0, { subtotal: 1000 });
  await user.click(screen.getByRole("radio", { name: "Other" }));
  await user.type(screen.getByRole("textbox", { name: "Tip amount" }), "120");
  expect(onTip).not.toHaveBeenCalledWith(12_000);
  act(() => setSubtotals([{ subtotal: 20_000 }]));
  expect(onTip).toHaveBeenLastCalledWith(12_000);
});
