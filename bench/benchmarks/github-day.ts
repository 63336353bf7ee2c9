/** What a day on GitHub asked for. */

export type GitHubDay = {
  readonly merged: number
  /** Until everybody had left the queue. */
  readonly hours: number
  /** All, also those that were answered with 304 and cost nothing. */
  readonly requests: number
  /** The most that counted within an hour. */
  readonly perHour: number
  /** The most within a minute that changed something on GitHub. */
  readonly perMinute: number
  /** What did not fit GitHub's document. */
  readonly faults: readonly string[]
}
