export { faultAnswers } from "./fake-s3/faults.ts";
export type { Fault, FaultAnswer, FaultHandle, FaultMatcher, Faults, Pause } from "./fake-s3/faults.ts";
export { roundTrips } from "./fake-s3/request-log.ts";
export type { LoggedRequest, RequestLog } from "./fake-s3/request-log.ts";
export type { S3Operation } from "./fake-s3/s3-request.ts";
export { startFakeS3 } from "./fake-s3/start-fake-s3.ts";
export type { DirectPutOptions, FakeS3, FakeS3Options, StoredObject } from "./fake-s3/start-fake-s3.ts";
