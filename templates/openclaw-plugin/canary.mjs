// Call one handler of the plugin as OpenClaw would, and print what it answers; `dory hooks status openclaw` does it.
// Standard input: {"hook": "before_tool_call", "config": {…}, "event": {…}, "context": {…}}

import { readFileSync } from "node:fs";
import plugin from "./index.mjs";

const { hook, config, event, context } = JSON.parse(readFileSync(0, "utf8"));
const handlers = new Map();
plugin.register({
  pluginConfig: config,
  logger: { warn: (line) => process.stderr.write(`${line}\n`) },
  on: (name, handler) => handlers.set(name, handler),
});
process.stdout.write(`${JSON.stringify((await handlers.get(hook)(event, context)) ?? {})}\n`);
