/** Removes what the gateway put into the page to cover the app until its first screen is rendered. */
export function removeFirstPaint(): void {
  document.getElementById("first-paint")?.remove();
}
