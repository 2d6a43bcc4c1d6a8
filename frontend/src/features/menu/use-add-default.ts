import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { errorMessage } from "@/api/errors";
import { loadCode } from "@/shell/missing-code";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";
import type { MenuItem } from "./queries";

/** Adds an item of the menu with its default choices; see `addDefault`. Its code loads with the first press. */
export function useAddDefault(store: CartStore) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [adding, setAdding] = useState<string | null>(null);
  const add = useCallback(
    async (item: MenuItem) => {
      setAdding(item.itemId);
      try {
        const { addDefault } = await loadCode(() => import("./add-default"));
        await addDefault({ queryClient, navigate, store }, item);
      } catch (error) {
        toast(errorMessage(error), "error");
      } finally {
        setAdding(null);
      }
    },
    [queryClient, navigate, store],
  );
  return { add, adding };
}
