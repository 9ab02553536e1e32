/**
 * `node localstack/start.ts`: LocalStack in host mode, until Ctrl-C. No container engine needed,
 * only Python 3.12 or newer. `ministack` or `seaweedfs` as an argument starts that server instead.
 */
import { startLocalStack, startMiniStack, startSeaweed } from "./host-mode.ts";

const servers = new Map([
  ["localstack", startLocalStack],
  ["ministack", startMiniStack],
  ["seaweedfs", startSeaweed],
]);
const [name = "localstack"] = process.argv.slice(2);
const start = servers.get(name);
if (!start) {
  console.error(`usage: node localstack/start.ts [${[...servers.keys()].join(" | ")}]`);
  process.exit(2);
}
const server = await start(console.error);
// The endpoint alone on standard output, for scripts.
console.error(`${name} by ${server.via}, until Ctrl-C; its log: ${server.log}`);
console.log(server.endpoint);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    void server.stop().then(() => process.exit(0));
  });
}
