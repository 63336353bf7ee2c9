/** What holds for a queue on a code host with an API, if nothing else is said. */

/** The host's own CI tests. */
export const hostTests = { kind: 'host', noCiMinutes: 15 } as const

export const pollSecondsOfForges = 30
