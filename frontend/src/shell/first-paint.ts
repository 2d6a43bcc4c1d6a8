/** Removes what the gateway put into the page to cover the app until its first screen is rendered. */
export function removeFirstPaint(): void {
  document.getElementById("first-paint")?.remove();
}

/** Removes it if a screen is rendered. Skeletons have no h1. */
export function uncoverScreen(): void {
  if (document.querySelector("#root h1")) removeFirstPaint();
}
