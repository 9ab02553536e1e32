// The same, with a request during init as an application would send it to open the connection.
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";

const client = new S3Client({});
await client.send(new ListObjectsV2Command({ Bucket: "memory", MaxKeys: 1 }));
const initialised = performance.now();
await client.send(new ListObjectsV2Command({ Bucket: "memory", Prefix: "users/dana/memories/" }));
console.log(JSON.stringify({ initialised, answered: performance.now() }));
