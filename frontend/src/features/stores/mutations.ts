import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { Store } from "./queries";

/** Marks a store or takes the mark away. The heart answers at once, and goes back if the server says no. */
export function useFavorite(store: Pick<Store, "storeId">) {
  const queryClient = useQueryClient();
  const show = (favorite: boolean) =>
    queryClient.setQueriesData<Store>({ queryKey: ["stores", "one", store.storeId] }, (known) =>
      known ? { ...known, favorite } : known,
    );
  return useMutation({
    mutationFn: (favorite: boolean) =>
      write(favorite ? "/store/favorite" : "/store/unfavorite", { storeId: store.storeId }),
    onMutate: (favorite) => show(favorite),
    onError: (_error, favorite) => show(!favorite),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["stores", "list"] }),
  });
}
