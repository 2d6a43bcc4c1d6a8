import { beforeEach, expect, test, vi } from "vitest";
import { idleQueue } from "./idle-queue";

beforeEach(() => {
  vi.useFakeTimers();
});

test("each task runs in an idle period of its own, in order", () => {
  const ran: string[] = [];
  idleQueue.add(() => ran.push("a"));
  idleQueue.add(() => ran.push("b"));
  expect(ran).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(ran).toEqual(["a"]);
  vi.advanceTimersToNextTimer();
  expect(ran).toEqual(["a", "b"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a deleted task does not run, and the next one does", () => {
  const ran: string[] = [];
  const deleted = () => ran.push("deleted");
  idleQueue.add(deleted);
  idleQueue.add(() => ran.push("kept"));
  idleQueue.delete(deleted);
  vi.runAllTimers();
  expect(ran).toEqual(["kept"]);
});

test("a task that fails does not stop the ones after it", () => {
  const ran: string[] = [];
  idleQueue.add(() => {
    throw new Error("broken");
  });
  idleQueue.add(() => ran.push("after"));
  expect(() => vi.advanceTimersToNextTimer()).toThrow("broken");
  vi.runAllTimers();
  expect(ran).toEqual(["after"]);
});
