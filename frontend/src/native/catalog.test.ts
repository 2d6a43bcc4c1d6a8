import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type GenericSchema, parse } from "valibot";
import { describe, expect, it } from "vitest";
import { schemaFile, schemaText } from "../../native-schema";
import { receivedMessages, sentMessages } from "./catalog";

it("has a current JSON Schema: run `npm run native-schema`", () => {
  expect(readFileSync(schemaFile, "utf8")).toBe(schemaText());
});

describe("the document for native teams", () => {
  const text = readFileSync(join(dirname(schemaFile), "native-shell.md"), "utf8");
  const sections = text.split(/^## /m);

  it.each<[string, Record<string, GenericSchema>]>([
    ["From the app to the shell", sentMessages],
    ["From the shell to the app", receivedMessages],
  ])("%s: has each message once, with a valid example", (title, catalog) => {
    const section = sections.find((part) => part.startsWith(`${title}\n`)) ?? "";
    const messages = section.split(/^### `/m).slice(1);
    expect(messages.map((part) => part.split("`")[0]).sort()).toEqual(Object.keys(catalog).sort());
    for (const part of messages) {
      const [, example = ""] = /```json\n([\s\S]*?)```/.exec(part) ?? [];
      const { eventName, detail } = JSON.parse(example);
      expect(eventName).toBe(part.split("`")[0]);
      expect(parse(catalog[eventName] as GenericSchema, detail)).toEqual(detail);
    }
  });
});
