/** When GitHub says that it allows no more requests for a while. */

type Headers = Readonly<Record<string, unknown>>

/** If it does not say for how long. */
const usualMs = 60_000

/** Until when no request may be sent, in milliseconds; null if the answer is about something else. */
export function blockedUntil(
  status: number,
  { headers, words }: { readonly headers: Headers; readonly words: string },
  now: number,
): number | null {
  if (status !== 403 && status !== 429) return null
  const after = Number(headers['retry-after'] ?? Number.NaN)
  if (!Number.isNaN(after)) return now + after * 1_000
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
    return Number.isNaN(reset) ? now + usualMs : Math.max(now, reset * 1_000)
  }
  return status === 429 || /secondary rate limit/i.test(words) ? now + usualMs : null
}
