/** What to do about a server that is missing, line by line. */
export const serverAdvice = [
  "Install Python 3.12 or newer, or Docker (enough for LocalStack), or set LOCALSTACK_ENDPOINT, MINISTACK_ENDPOINT and",
  "SEAWEEDFS_ENDPOINT to servers that run: see localstack/README.md. `npm test -- --project unit` needs no server.",
] as const;
