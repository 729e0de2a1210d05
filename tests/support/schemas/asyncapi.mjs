// Parse an AsyncAPI document with the specification's own parser; print its channels, or fail with what is wrong.
import { readFileSync } from "node:fs";
import asyncapi from "@asyncapi/parser";

const { document, diagnostics } = await new asyncapi.Parser().parse(readFileSync(process.argv[2], "utf8"));
for (const found of diagnostics) console.error(found.severity, found.code, found.path.join("."), found.message);
if (!document || diagnostics.some((found) => found.severity === 0)) process.exit(1);
const said = (message) => ({ id: message.id(), correlation: message.correlationId()?.location() ?? "" });
const channels = document.channels().all().map((channel) => ({
  id: channel.id(),
  address: channel.address(),
  messages: channel.messages().all().map(said),
}));
console.log(JSON.stringify({ channels, warnings: diagnostics.length }));
