/** Whether workers edit what they remember unread: in all episodes of a run, in none, or as the plan of each one says. */
export type CacheChoice = (typeof cacheChoices)[number];

export const cacheChoices = ["on", "off", "both"] as const;
