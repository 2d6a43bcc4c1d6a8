import { join } from "node:path";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { receivedMessages, sentMessages } from "./src/native/catalog.ts";

/** The committed JSON Schema of the native messages, for native teams. */
export const schemaFile = join(import.meta.dirname, "../docs/native-shell.schema.json");

/** Returns the text of the file. */
export function schemaText(): string {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Messages between the Order Ahead web app and a native shell",
    definitions: {
      AppMessage: { description: "Sent by the app.", oneOf: messagesOf(sentMessages) },
      ShellMessage: { description: "Sent by the shell.", oneOf: messagesOf(receivedMessages) },
    },
    anyOf: [{ $ref: "#/definitions/AppMessage" }, { $ref: "#/definitions/ShellMessage" }],
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function messagesOf(catalog: Record<string, GenericSchema>): object[] {
  return Object.entries(catalog).map(([eventName, schema]) => {
    const { $schema: _, ...detail } = toJsonSchema(schema);
    return {
      title: eventName,
      type: "object",
      properties: { eventName: { const: eventName }, detail },
      required: ["eventName", "detail"],
    };
  });
}
