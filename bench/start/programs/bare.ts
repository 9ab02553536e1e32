// What an application would write that lists the user's files itself.
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";

const client = new S3Client({});
const initialised = performance.now();
await client.send(new ListObjectsV2Command({ Bucket: "memory", Prefix: "users/dana/memories/" }));
console.log(JSON.stringify({ initialised, answered: performance.now() }));
