import type { Page } from "@playwright/test";

/** Lists the layout problems of the open screen, after the scripts have run that follow the size of the window. */
export async function readLayoutProblems(page: Page): Promise<string[]> {
  let problems: string[] = [];
  const end = Date.now() + 3_000;
  do problems = await page.evaluate(findLayoutProblems);
  while (problems.length > 0 && Date.now() < end);
  return problems;
}

/**
 * Lists what does not fit the width of the window: horizontal scrolling, controls and texts beyond its edges, and texts that are
 * cut off by their control. Runs in the page, so it uses nothing outside of the function.
 */
function findLayoutProblems(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const problems = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest("[aria-hidden=true], .sr-only, [inert]");
  /** Rows that scroll sideways, maps, and texts that are shortened with an ellipsis. */
  const mayExceed = (element: Element) => {
    if (element.closest(".maplibregl-map")) return true;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(at);
      if (overflowX === "auto" || overflowX === "scroll" || textOverflow === "ellipsis") return true;
    }
    return false;
  };
  const isOutside = ({ left, right, width }: DOMRect) => width > 1 && (left < -1 || right > clientWidth + 1);
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}"`;

  for (const control of document.querySelectorAll("a, button, label, input, select, textarea, summary")) {
    if (!isShown(control) || mayExceed(control)) continue;
    if (isOutside(control.getBoundingClientRect())) problems.push(`${name(control)} is outside the window`);
    const isCut = control.scrollWidth > control.clientWidth + 1 && control.clientWidth > 1;
    if (isCut && getComputedStyle(control).overflowX !== "visible" && !control.matches("input, select")) {
      problems.push(`${name(control)} is cut off`);
    }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent || !text.textContent?.trim() || !isShown(parent) || mayExceed(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    if ([...range.getClientRects()].some(isOutside)) problems.push(`${name(parent)} is outside the window`);
  }
  return [...new Set(problems)];
}
