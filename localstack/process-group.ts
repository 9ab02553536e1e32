import type { ChildProcess } from "node:child_process";

/** Resolves when the process has ended, or could not be started at all. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}

/** Ends a child that was started `detached`, and all that it has started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}
