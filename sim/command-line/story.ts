/** What went wrong, told to a person, with the one command that shows it again. */

import { count, duration, numbers } from './text.ts'
import type { Failure } from './verdict.ts'

/** A failure in sentences: what broke, when, who was involved, what proves it. */
export function storyOf(failure: Failure): string {
  switch (failure.kind) {
    case 'property': {
      const { atMinutes, sequence, story, pullRequests } = failure.violation
      const when = `at minute ${rounded(atMinutes)} (${duration(atMinutes)} in), event ${sequence}`
      const who = pullRequests.length > 0 ? `\n  pull requests: ${numbers(pullRequests)}` : ''
      return `BROKEN  ${failure.name}  ${when}\n  ${story}${who}`
    }
    case 'expectation': {
      const { expected, actual } = failure.expectation
      return `MISSED  ${failure.name}\n  expected ${valueText(expected)}, came ${valueText(actual)}`
    }
    case 'difference': {
      const { sameLines, first, second } = failure.difference
      return (
        `DIFFERS  the same scenario, run twice, went two ways after ${sameLines} lines of trace\n` +
        `  first   ${first ?? 'was over'}\n  second  ${second ?? 'was over'}`
      )
    }
    case 'nothing failed':
      return `HOLDS  ${failure.name} was to fail here, and did not`
  }
}

const itemsShown = 20

/** A value as JSON; of a long list its beginning, and how many more there are. */
function valueText(value: unknown): string {
  if (!Array.isArray(value) || value.length <= itemsShown) return JSON.stringify(value)
  const shown = JSON.stringify(value.slice(0, itemsShown)).slice(1, -1)
  return `[${shown}, and ${count(value.length - itemsShown)} more]`
}

/** Fine enough to find the place in a trace, without noise. */
function rounded(minutes: number): number {
  return Math.round(minutes * 1000) / 1000
}
