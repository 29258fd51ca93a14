"""The hooks of the agent platforms: what a tool call may do before anybody said yes (agents.md, "What the hooks do").

A platform starts `dory-agent hook PLATFORM` before each tool call, at the start of a session and at the end of a turn,
and sends one JSON object on standard input. The answer is in the platform's own form.

    shell     a command line in its simple commands, wrappers and substitutions followed        pure
    patterns  what is gated: the defaults, and the human's `hooks.toml`
    rule      (call, patterns, places) → a ruling: allowed, or denied with a reason             pure
    answer    bytes in, bytes and an exit code out; any fault denies what could be gated
    claude_code · codex · cursor · openclaw   the contract of one platform                      pure
    session   the context at the start, and the one question at the end of a turn
    jsonc     a settings file with comments as spans; add and take out, nothing else changes    pure
    json5     the same for OpenClaw's configuration                                            pure
    platforms where each platform keeps its hooks, and what stands there
    openclaw · openclaw_config   OpenClaw's plugin, and the entries that load it
    unloading what would take the plugin out again                                             pure
    install   put the hooks in, take them out, say what is there
    canary    fire a harmless call at what is really installed, and report what happened

Advice is not enforcement, and a hook is advice with teeth: it sees what a platform shows it before a tool runs. An
agent with a shell that means to get around it can: it writes a program and starts that, or uses a tool the platform
shows to no hook. What holds against that is the gate, whose promise is about what runs through it, and credentials that
the agent cannot reach. The hooks catch the forgetful agent and the hurried one, and say what to do instead.

`answer` and what it needs stay on the standard library: a whole hook may take four bare starts of Python.
"""
