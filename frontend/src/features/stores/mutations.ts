import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { type Store, storeKeys } from "./queries";

export const useFavoriteStore = (storeId: string) => useSetFavorite(storeId, "/store/favorite", true);

export const useUnfavoriteStore = (storeId: string) => useSetFavorite(storeId, "/store/unfavorite", false);

/** Updates the cached store at once, and restores it if the call fails. */
function useSetFavorite(storeId: string, path: "/store/favorite" | "/store/unfavorite", favorite: boolean) {
  const queryClient = useQueryClient();
  const updateCache = (value: boolean) =>
    queryClient.setQueriesData<Store>({ queryKey: storeKeys.store(storeId) }, (store) =>
      store ? { ...store, favorite: value } : store,
    );
  return useMutation({
    mutationFn: () => write(path, { storeId }),
    onMutate: () => updateCache(favorite),
    onError: () => updateCache(!favorite),
    onSettled: () => queryClient.invalidateQueries({ queryKey: storeKeys.lists }),
  });
}
