import { fireEvent, render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { StorePhoto } from "./StorePhoto";

const PHOTO = "https://photos.example.com/sunset.jpg";
const DRAWN = "/api/consumer/store/photo?storeId=sunset";

function image(container: HTMLElement): HTMLImageElement | null {
  return container.querySelector("img");
}

function fail(container: HTMLElement): void {
  const shown = image(container);
  if (shown) fireEvent.error(shown);
}

describe("the picture of a store", () => {
  it("is decorative and has fixed dimensions", () => {
    const { container } = render(<StorePhoto storeId="sunset" src={PHOTO} />);
    const shown = image(container);
    expect(shown).toHaveAttribute("src", PHOTO);
    expect(shown).toHaveAttribute("alt", "");
    expect(shown).toHaveAttribute("width", "64");
    expect(shown).toHaveAttribute("height", "48");
    expect(container.firstChild).toHaveClass("w-16", "h-12");
  });

  it("is the drawn one if the photo does not load, and an icon if that does not load either", () => {
    const { container, rerender } = render(<StorePhoto storeId="sunset" src={PHOTO} />);
    fail(container);
    expect(image(container)).toHaveAttribute("src", DRAWN);
    fail(container);
    expect(image(container)).toBeNull();
    expect(container.querySelector("svg")).toBeInTheDocument();

    rerender(<StorePhoto storeId="sunset" src="https://photos.example.com/new.jpg" />);
    expect(image(container)).toHaveAttribute("src", "https://photos.example.com/new.jpg");
  });

  it("is an icon until its address is loaded", () => {
    const { container } = render(<StorePhoto storeId="sunset" src="" />);
    expect(image(container)).toBeNull();
  });
});
