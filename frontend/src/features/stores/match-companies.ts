import type { Store } from "./queries";

export interface MatchedCompany {
  companyId: string;
  companyName: string;
}

const MAX_COMPANIES = 2;

/** Returns the companies of the stores that the words of the term name, in the order of the stores. */
export function matchCompanies(stores: readonly Store[], term: string): MatchedCompany[] {
  const words = normalize(term).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const companies = new Map<string, MatchedCompany>();
  for (const { companyId, companyName } of stores) {
    const names = normalize(companyName).split(/\s+/);
    const matches = words.every((word) => names.some((name) => name.startsWith(word)));
    if (matches) companies.set(companyId, { companyId, companyName });
  }
  return [...companies.values()].slice(0, MAX_COMPANIES);
}

const normalize = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .trim();
