/** All workers have the memory of this one. */
export const user = "support-desk";
export const index = "/memories/index.md";

/** What a worker gets: a reply of Claude's that was stored, with the ids of its calls. */
export interface Task {
  readonly ticket: string;
  readonly customer: string;
  readonly calls: readonly { readonly id: string; readonly input: unknown }[];
}

/** The worker that has this one is killed in the middle of it. */
export const unlucky = "hooli";

const customers = ["acme", "globex", "initech", "umbrella"] as const;
const owners = Array.from({ length: 24 }, (_, number) => customers[number % customers.length] ?? customers[0]);

/** One for each ticket. A file gets no more writes than it remembers ids of, which are 16; the index does not need them. */
export const tasks: readonly Task[] = [...owners.slice(0, 8), unlucky, ...owners.slice(8)].map(taskOf);

function taskOf(customer: string, number: number): Task {
  const ticket = `T-${String(number + 1).padStart(2, "0")}`;
  const path = logOf(customer);
  const inputs = [
    // Every one of a customer's tickets may be the first: one creates the file, the others hear that it is there.
    { command: "create", path, file_text: `# ${customer}\n` },
    { command: "insert", path, insert_line: 1, insert_text: logLine(ticket) },
    { command: "str_replace", path: index, old_str: `${ticket}: open`, new_str: `${ticket}: answered` },
  ];
  const calls = inputs.map((input, call) => ({ id: `toolu_${ticket}_${call}`, input }));
  return { ticket, customer, calls };
}

export const everyCustomer: readonly string[] = [...new Set(tasks.map(({ customer }) => customer))];

export function logOf(customer: string): string {
  return `/memories/${customer}/log.md`;
}

export function logLine(ticket: string): string {
  return `${ticket} was answered.`;
}

export function indexText(state: "open" | "answered"): string {
  return tasks.map(({ ticket }) => `- ${ticket}: ${state}\n`).join("");
}
