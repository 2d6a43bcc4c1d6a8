import { type ReactNode, useEffect, useRef, useState } from "react";
import { idleQueue } from "@/lib/idle-queue";
import { CategorySkeleton } from "./MenuSkeleton";
import type { Category } from "./queries";

type BarCategory = Pick<Category, "categoryId" | "name">;

/** The usual items, which are above the categories. */
export const USUALS: BarCategory = { categoryId: "usuals", name: "Usuals" };

export const sectionId = (categoryId: string): string => `menu-${categoryId}`;

/** The height of the bar in px. */
const BAR_HEIGHT = 53;

const NONE: readonly never[] = [];

interface CategoryBarProps {
  /** Undefined while they load. */
  categories: readonly BarCategory[] | undefined;
}

/** A sticky bar with the categories of the menu. The visible category is marked. Hidden without categories. */
export function CategoryBar({ categories }: CategoryBarProps): ReactNode {
  const [current, setCurrent] = useCurrentCategory(categories ?? NONE);
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const isFirst = shown.current === undefined;
    shown.current = current;
    // The bar starts with it. Measuring it would lay out the new menu within the task that renders it.
    if (isFirst) return;
    const link = current && list.current?.querySelector<HTMLElement>(`[href="#${sectionId(current)}"]`);
    // `scrollIntoView` would also scroll the page.
    if (link) list.current?.scrollTo?.({ left: link.offsetLeft - 60, behavior: "smooth" });
  }, [current]);
  if (categories?.length === 0) return null;
  return (
    <nav aria-label="Categories" className="sticky top-0 z-5 bg-ground shadow-[0_1px_0_var(--line)]">
      <ul ref={list} className="relative flex gap-1.5 overflow-x-auto px-gutter py-1 [scrollbar-width:none]">
        {!categories && <CategorySkeleton />}
        {categories?.map(({ categoryId, name }) => {
          const isCurrent = categoryId === current;
          return (
            <li key={categoryId} className="shrink-0">
              <a
                href={`#${sectionId(categoryId)}`}
                aria-current={isCurrent ? "true" : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  setCurrent(categoryId);
                  scrollToSection(categoryId);
                }}
                className="group grid min-h-target place-items-center rounded-pill"
              >
                <span
                  className={`t-small-strong grid min-h-9 place-items-center rounded-pill px-3.5 ${isCurrent ? "bg-accent text-on-accent" : "text-accent"}`}
                >
                  {name}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function scrollToSection(categoryId: string): void {
  const section = document.getElementById(sectionId(categoryId));
  section?.scrollIntoView({ behavior: "smooth", block: "start" });
  section?.querySelector("h2")?.focus({ preventScroll: true });
}

/** Returns the category of the section below the bar, and a setter. */
function useCurrentCategory(categories: readonly BarCategory[]) {
  const [current, setCurrent] = useState(categories[0]?.categoryId);
  // The sections are rendered after the bar, and again for each search.
  useEffect(() => {
    if (typeof IntersectionObserver === "undefined" || categories.length === 0) return;
    let observer: IntersectionObserver | undefined;
    // After the frame that lays out the sections, which reading the height would do a second time.
    const observe = () => {
      observer = new IntersectionObserver(
        (entries) => {
          const entered = entries.find(({ isIntersecting }) => isIntersecting);
          if (entered) setCurrent(entered.target.getAttribute("data-category") ?? undefined);
        },
        // A line just below the bar. Exactly one section crosses it.
        {
          rootMargin: `-${BAR_HEIGHT + 12}px 0px -${Math.max(0, window.innerHeight - BAR_HEIGHT - 16)}px 0px`,
        },
      );
      for (const element of document.querySelectorAll("[data-category]")) observer.observe(element);
    };
    idleQueue.add(observe);
    return () => {
      idleQueue.delete(observe);
      observer?.disconnect();
    };
  }, [categories]);
  const exists = categories.some(({ categoryId }) => categoryId === current);
  return [exists ? current : categories[0]?.categoryId, setCurrent] as const;
}
