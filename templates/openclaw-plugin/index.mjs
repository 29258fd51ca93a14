// Before each tool call OpenClaw asks dory, and in each turn the agent reads what its human approved and held.
//
// One process answers each question, `AGENT -C WORKSPACE hook openclaw`: JSON in, JSON out, exit code 0.
//   {"event": "before_tool_call", "toolName", "params", "sessionKey", "cwd", "workspace"}
//       -> {} or {"block": true, "blockReason": "…"}
//   {"event": "boot", "sessionKey", "cwd", "workspace"} -> {"context": "…"}
// Whatever else comes back stops the call: no program, another exit code, nothing, something else, too late.

import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";

const SECONDS = 10; // OpenClaw waits 15 for a handler: the answer must be there before, since it is ours that says why
const LONGEST = 1 << 20; // characters of an answer
const HELP = "Tell your human: `dory hooks status openclaw --probe` shows what is wrong.";

// These only look. When nobody can answer they go on, so that the agent can find out and say so.
const ONLY_LOOKS = new Set([
  "read", "ls", "grep", "find", "memory_search", "memory_get", "session_status", "sessions_list", "sessions_history",
  "agents_list", "tool_search", "tool_describe",
]);

/** Put one question to dory. Resolves to the answer, an object; rejects with an Error that says what went wrong. */
function ask(settings, question, signal) {
  return new Promise((answered, failed) => {
    const { agent, workspace, seconds = SECONDS } = settings;
    if (!agent || !workspace) throw new Error("plugins.entries.dory.config has no `agent` or no `workspace`");
    const words = ["-C", workspace, "hook", "openclaw"];
    const asked = JSON.stringify({ ...question, workspace });
    const child = spawn(agent, words, { cwd: "/", detached: true }); // detached: a group, which ends as one
    const said = { stdout: "", stderr: "" };
    const settle = (error, answer) => {
      clearTimeout(limit);
      signal?.removeEventListener("abort", cancelled);
      return error ? failed(error) : answered(answer);
    };
    const stop = (why) => {
      end(child);
      settle(new Error(why));
    };
    const cancelled = () => stop("the call was cancelled");
    const limit = setTimeout(() => stop(`no answer in ${seconds} seconds`), seconds * 1000);
    signal?.addEventListener("abort", cancelled);
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        said[name] += text;
        if (said[name].length > LONGEST) stop(`more than ${LONGEST} characters on ${name}`);
      });
    }
    child.stdin.on("error", () => {}); // it may answer before it has read all; what counts is how it ends
    child.on("error", (error) => settle(error));
    child.on("close", (code, killed) => settle(...judge(code ?? killed, said)));
    child.stdin.end(asked);
  });
}

/** End a process and what it started, and read no more of it. */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // it never started, or is gone
  }
  for (const stream of child.stdio) stream?.destroy();
}

/** [error, answer] of a process that ended. */
function judge(code, said) {
  if (code !== 0) {
    const last = said.stderr.trim().split("\n").at(-1).slice(0, 300);
    return [new Error(`it ended with ${code}${last && `: ${last}`}`)];
  }
  if (!said.stdout.trim()) return [new Error("it said nothing")];
  try {
    const answer = JSON.parse(said.stdout);
    if (answer !== null && typeof answer === "object" && !Array.isArray(answer)) return [null, answer];
  } catch {
    // not JSON at all: the same sentence
  }
  return [new Error("its answer is not a JSON object")];
}

/** What OpenClaw is told of a tool call: nothing lets it through. */
function verdict({ block, blockReason, ...more }) {
  if (block === true) return { block, blockReason: String(blockReason || "dory says no") };
  if (block !== undefined || blockReason !== undefined || Object.keys(more).length) {
    throw new Error("its answer is neither {} nor a block");
  }
  return undefined;
}

function sameFolder(one, other) {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return resolve(one) === resolve(other);
  }
}

function register(api) {
  const settings = api.pluginConfig ?? {};

  function folderOf(agentId) {
    try {
      return api.runtime.agent.resolveAgentWorkspaceDir(api.runtime.config.current(), agentId);
    } catch {
      return settings.workspace;
    }
  }

  async function beforeToolCall({ toolName, params }, { agentId, sessionKey, abortSignal }) {
    const question = { event: "before_tool_call", toolName, params, sessionKey, cwd: folderOf(agentId) };
    try {
      return verdict(await ask(settings, question, abortSignal));
    } catch (error) {
      const reason = `dory could not be asked (${error.message})`;
      api.logger.warn(`${toolName}: ${reason}`);
      if (ONLY_LOOKS.has(toolName)) return undefined;
      return { block: true, blockReason: `${reason}, so this is stopped. ${HELP}` };
    }
  }

  async function beforePromptBuild(_event, { agentId, sessionKey }) {
    const cwd = folderOf(agentId);
    if (settings.workspace && !sameFolder(cwd, settings.workspace)) return undefined; // an agent with another workspace
    try {
      const { context } = await ask(settings, { event: "boot", sessionKey, cwd });
      if (typeof context !== "string") throw new Error("its answer has no `context`");
      return context ? { appendSystemContext: context } : undefined;
    } catch (error) {
      const reason = `dory could not be asked (${error.message})`;
      api.logger.warn(`boot: ${reason}`);
      return { appendSystemContext: `${reason}: take nothing as approved. ${HELP}` };
    }
  }

  // First of all handlers, so that nobody is asked to approve what dory stops.
  api.on("before_tool_call", beforeToolCall, { priority: 1000, timeoutMs: 15_000 });
  api.on("before_prompt_build", beforePromptBuild, { timeoutMs: 15_000 });
}

export default { id: "dory", name: "dory", register };
