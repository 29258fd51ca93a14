// Call the plugin as OpenClaw would, and print what it answers: node canary.mjs CONFIG < QUESTION
// CONFIG is the JSON of `plugins.entries.dory.config`; QUESTION is one of those in index.mjs.

import { readFileSync } from "node:fs";
import plugin from "./index.mjs";

const HOOKS = { before_tool_call: "before_tool_call", boot: "before_prompt_build" };
const { event, ...question } = JSON.parse(readFileSync(0, "utf8"));
const handlers = new Map();
plugin.register({
  pluginConfig: JSON.parse(process.argv[2]),
  logger: { warn: (line) => process.stderr.write(`${line}\n`) },
  on: (name, handler) => handlers.set(name, handler),
});
const answer = await handlers.get(HOOKS[event])(question, { sessionKey: question.sessionKey });
process.stdout.write(`${JSON.stringify(answer ?? {})}\n`);
