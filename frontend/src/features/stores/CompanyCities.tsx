import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "@/ui/Button";
import { locationsQuery } from "./company-queries";

/** Cities shown at first. */
const INITIAL_COUNT = 6;

/** Links to the stores of a company by city. Hidden for one city, and if the cities fail to load. */
export function CompanyCities({ companyName }: { companyName: string }): ReactNode {
  const { data: locations = [] } = useQuery(locationsQuery(companyName));
  const [showAll, setShowAll] = useState(false);
  if (locations.length < 2) return null;
  const visible = showAll ? locations : locations.slice(0, INITIAL_COUNT);
  return (
    <section aria-labelledby="company-cities" className="px-gutter pt-6">
      <h2 id="company-cities" className="t-heading mb-3">
        Cities
      </h2>
      <ul className="flex flex-wrap gap-2">
        {visible.map(({ city, region, storeCount }) => (
          <li key={`${city}, ${region}`}>
            <Link
              to="/explore/filtered"
              // Cities of several states have the same name. A search uses a limited number of words, so the place comes first.
              search={{ q: `${city} ${region} ${companyName}` }}
              className="t-small-strong inline-flex min-h-target items-center gap-2 rounded-pill bg-accent-soft px-4 text-accent"
            >
              {city}, {region}{" "}
              <span className="num font-normal">
                {storeCount} <span className="sr-only">{storeCount === 1 ? "store" : "stores"}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {visible.length < locations.length && (
        <div className="pt-1">
          <Button variant="link" onClick={() => setShowAll(true)}>
            Show all {locations.length} cities
          </Button>
        </div>
      )}
    </section>
  );
}
