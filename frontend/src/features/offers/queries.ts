import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData, GetQuery } from "@/api/contract";
import { offerKeys } from "@/shell/queries";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";

export type OfferList = GetData<"/user/offers">;
export type Offer = OfferList["offers"][number];
export type Challenge = OfferList["challenges"][number];

/** The offers and challenges of today, or of `overrideDay` outside production. */
export const offersQuery = (overrideDay?: string) => {
  const query = getDay(overrideDay);
  return queryOptions({
    queryKey: offerKeys.list(query),
    queryFn: ({ signal }) => read("/user/offers", query, { signal }),
    staleTime: 5 * 60_000,
  });
};

export const offerQuery = (offerId: string, overrideDay?: string) => {
  const query = { offerId, ...getDay(overrideDay) };
  return queryOptions({
    queryKey: offerKeys.detail(query),
    queryFn: ({ signal }) => read("/user/offer", query, { signal }),
    staleTime: 5 * 60_000,
  });
};

/** The zone of the chosen store determines the day. Without a store the server has a default. */
function getDay(overrideDay = device.mockData.get()?.day): GetQuery<"/user/offers"> {
  const { timeZone } = cartItem.get();
  return { ...(timeZone && { timeZone }), ...(overrideDay && { overrideDay }) };
}
