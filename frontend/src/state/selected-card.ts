/** The stored value selected for an order and the store that it pays at. Client state: it ends with the page. */
export interface SelectedCard {
  cardId: string;
  storeId: string | null;
  companyId: string | null;
}

let selected: SelectedCard | null = null;
const listeners = new Set<() => void>();

export const selectedCard = {
  get: (): SelectedCard | null => selected,
  set(card: SelectedCard | null): void {
    selected = card;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
