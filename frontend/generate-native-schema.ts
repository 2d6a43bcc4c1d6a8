import { writeFileSync } from "node:fs";
import { schemaFile, schemaText } from "./native-schema.ts";

/** Writes the JSON Schema of the native messages. A test fails if the file is not current. */
writeFileSync(schemaFile, schemaText());
