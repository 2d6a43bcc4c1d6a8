import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { type Store, storeKeys } from "./queries";

export const useFavoriteStore = (storeId: string) => useSetFavorite(storeId, "/store/favorite", true);

export const useUnfavoriteStore = (storeId: string) => useSetFavorite(storeId, "/store/unfavorite", false);

/** Updates the cached store at once, and restores it if the call fails. Taps are sent one after the other. */
function useSetFavorite(storeId: string, path: "/store/favorite" | "/store/unfavorite", favorite: boolean) {
  const queryClient = useQueryClient();
  const mutationKey = ["favorite", storeId];
  const updateCache = (value: boolean) =>
    queryClient.setQueriesData<Store>({ queryKey: storeKeys.store(storeId) }, (store) =>
      store ? { ...store, favorite: value } : store,
    );
  return useMutation({
    mutationKey,
    scope: { id: `favorite-${storeId}` },
    mutationFn: () => write(path, { storeId }),
    onMutate: () => updateCache(favorite),
    onError: () => updateCache(!favorite),
    onSettled: () => {
      // A later tap is on the screen, but not on the server yet.
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      for (const queryKey of [storeKeys.lists, storeKeys.maps, storeKeys.store(storeId)]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}
