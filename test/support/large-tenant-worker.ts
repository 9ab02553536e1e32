// Started by test/unit/large-tenant.test.ts in a process of its own, so that its memory can be measured.
import { createS3Memory } from "../../src/index.ts";
import { testClient } from "./test-client.ts";

const [endpoint = "", bucket = ""] = process.argv.slice(2);
const client = testClient(endpoint);
const memory = createS3Memory({ bucket, client });
await memory.forUser("nobody").execute({ command: "view", path: "/memories" }); // the SDK is loaded, a connection open

const idle = process.memoryUsage().rss;
let peak = idle;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 2);
const { content } = await memory.forUser("big").execute({ command: "view", path: "/memories" });
clearInterval(watch);
peak = Math.max(peak, process.memoryUsage().rss);
process.send?.({ content, megabytesAboveIdle: (peak - idle) / 1_000_000 }, () => process.exit(0));
