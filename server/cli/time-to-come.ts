/** An end that an option sets: `30d`, `12h`, or an instant. */

export const timesToCome = 'a time to come: 30d, 12h, 2027-01-31 or 2027-01-31T12:00Z'

const hourMs = 60 * 60_000
const unitMs = { h: hourMs, d: 24 * hourMs } as const

/** Null if the text is not a time, or one that has passed. A date begins at midnight UTC. */
export function timeToCome(text: string, now: Date): string | null {
  const time = timeIn(text, now.getTime())
  return time > now.getTime() ? new Date(time).toISOString() : null
}

function timeIn(text: string, now: number): number {
  const { count, unit } = /^(?<count>[1-9]\d{0,4})(?<unit>[dh])$/.exec(text)?.groups ?? {}
  if (count !== undefined) return now + Number(count) * unitMs[unit === 'h' ? 'h' : 'd']
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
  return isTime.test(text) ? Date.parse(text) : Number.NaN
}
