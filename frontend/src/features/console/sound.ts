/** The sound of a new order, without a file. */
import { useEffect, useRef, useState } from "react";
import { device } from "@/state/device";
import type { StoreOrder } from "./queries";

let context: AudioContext | undefined;

/** Browsers allow sound only after a tap. Call it in the handler of one. */
export function unlockSound(): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  void context.resume();
}

/** Plays two rising notes. */
export function playNewOrder(): void {
  if (context?.state !== "running") return;
  for (const [index, frequency] of [660, 880].entries()) {
    const start = context.currentTime + index * 0.18;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(0.4, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.4);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.42);
  }
}

/** Plays the sound for each order that appears after the first load. Returns the setting and its switch. */
export function useNewOrderSound(orders: readonly StoreOrder[] | undefined, play = playNewOrder) {
  const [isOn, setOn] = useState(() => !device.consoleMuted.get());
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    // Any tap will do, because a reload locks the sound again.
    window.addEventListener("pointerdown", unlockSound);
    return () => window.removeEventListener("pointerdown", unlockSound);
  }, []);
  useEffect(() => {
    if (!orders) return;
    const before = known.current;
    known.current = new Set(orders.map(({ orderId }) => orderId));
    const isNew = before && orders.some(({ orderId, status }) => status === "Placed" && !before.has(orderId));
    if (isNew && isOn) play();
  }, [orders, isOn, play]);
  const toggle = () => {
    device.consoleMuted.set(isOn);
    setOn(!isOn);
    if (!isOn) {
      unlockSound();
      play();
    }
  };
  return { isOn, toggle };
}
