#!/usr/bin/env node
import { run } from "./run.ts";

const stopping = new AbortController();
// The first one ends it in good order, the second at once.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());

const { argv, env, stdin, stdout, stderr } = process;
const code = await run({ argv: argv.slice(2), env, stdin, stdout, stderr, signal: stopping.signal });
// Not by itself: a call that did not end in time would keep the process. Not before what was written has gone out.
stdout.write("", () => process.exit(code));
