import { createS3Memory } from "s3-memory-tool";

const memory = createS3Memory({ bucket: "memory" });
await memory.warm();
const initialised = performance.now();
const { isError } = await memory.forUser("dana").execute({ command: "view", path: "/memories" });
if (isError) throw new Error("The view failed.");
console.log(JSON.stringify({ initialised, answered: performance.now() }));
