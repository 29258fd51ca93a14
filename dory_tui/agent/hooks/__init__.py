"""The hooks of the agent platforms: what a tool call may do before anybody said yes (agents.md, "What the hooks do").

A platform starts `dory-agent hook PLATFORM` before each tool call, at the start of a session and at the end of a turn,
and sends one JSON object on standard input. The answer is in the platform's own form.

Judging a call, pure but for `load` of `patterns`:

    contracts  what each platform sends, and the form of its answer      calls    a tool call, as each tells it
    rule       (call, patterns, places) → why it is denied, or nothing   reasons  what an agent is told to do instead
    patterns   what is gated: `defaults`, and the human's `hooks.toml`   places   what nothing but dory writes
    harmless   what of that does nothing: dry runs, help              arguments  commands, paths and addresses in a call
    shell      a command line in its commands; `expansions` reads words, `unwrap` what `sudo` or `bash -c` starts
    loose      words that an expansion may give                      folders  where a command may run
    writes · deleting · network · unloading   what a command changes, deletes, reaches, takes out of OpenClaw

Answering: `answer` takes bytes and gives bytes and an exit code, and any fault denies what could be gated; `session`
has the context at the start and the one question at the end of a turn.

Installing: `platforms` is the register; `settings_file` a platform with a file of JSON, `openclaw` with
`openclaw_config` the plugin; `jsonc` and `json5` add to a file and take out, and nothing else changes; `install` finds,
writes and remembers; `traps` is what makes a platform pass hooks over; `plans` the values they share. `canary` fires a
harmless call at what is really installed, and reports what happened.

Advice is not enforcement, and a hook is advice with teeth: it sees what a platform shows it before a tool runs. An
agent with a shell that means to get around it can: it writes a program and starts that, or uses a tool the platform
shows to no hook. What holds against that is the gate, whose promise is about what runs through it, and credentials that
the agent cannot reach. The hooks catch the forgetful agent and the hurried one, and say what to do instead.

`answer` and what it needs stay on the standard library: a whole hook may take four bare starts of Python.
"""
