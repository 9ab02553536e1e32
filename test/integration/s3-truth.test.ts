import { describe, expect, it } from "vitest";
import { serverEndpoint } from "../support/fresh-bucket.ts";
import { differences } from "../support/s3-truth/differences.ts";
import { truthRows } from "../support/s3-truth/rows.ts";
import { runRow, singleAttemptClient } from "../support/s3-truth/run-rows.ts";
import { serverTitles, type ServerName } from "../support/servers.ts";

const servers = ["localstack", "ministack"] as const satisfies readonly ServerName[];

describe.each(servers)("%s answers as AWS, or as the table of differences says", (server) => {
  it.each(truthRows)("$name", async (row) => {
    const answer = await runRow(row, singleAttemptClient(serverEndpoint(server)));
    const difference = differences[server][row.name];
    expect(answer, difference?.reason).toEqual(difference?.answers ?? row.expected);
  });

  it(`differs from AWS only in rows that exist (${serverTitles[server]})`, () => {
    const names = new Set(truthRows.map(({ name }) => name));
    expect(Object.keys(differences[server]).filter((name) => !names.has(name))).toEqual([]);
  });
});
