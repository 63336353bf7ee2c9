/** Describes failures as text. */

import { count, duration, firstFew } from '../../server/terminal/text.ts'
import type { Failure } from './verdict.ts'

/** Describes a failure: what broke, when, with which pull requests, and the evidence. */
export function storyOf(failure: Failure): string {
  switch (failure.kind) {
    case 'property': {
      const { atMinutes, sequence, story, pullRequests } = failure.violation
      const when = `at minute ${rounded(atMinutes)} (${duration(atMinutes)} in), event ${sequence}`
      const about = pullRequests.length > 0 ? `\n  pull requests: ${firstFew(pullRequests)}` : ''
      return `BROKEN  ${failure.name}  ${when}\n  ${story}${about}`
    }
    case 'expectation': {
      const { expected, actual } = failure.expectation
      return `MISSED  ${failure.name}\n  expected ${valueText(expected)}, got ${valueText(actual)}`
    }
    case 'difference': {
      const { sameLines, first, second } = failure.difference
      return (
        `DIFFERS  two runs of the same scenario differ after ${sameLines} lines of trace\n` +
        `  first   ${first ?? 'had ended'}\n  second  ${second ?? 'had ended'}`
      )
    }
    case 'nothing failed':
      return `HOLDS  ${failure.name} was expected to fail here, but holds`
  }
}

const itemsShown = 20

/** Formats a value as JSON; a long list is shortened to its first items and a count. */
function valueText(value: unknown): string {
  if (!Array.isArray(value) || value.length <= itemsShown) return JSON.stringify(value)
  const shown = JSON.stringify(value.slice(0, itemsShown)).slice(1, -1)
  return `[${shown}, and ${count(value.length - itemsShown)} more]`
}

/** Rounds to three digits, which is precise enough to find the instant in a trace. */
function rounded(minutes: number): number {
  return Math.round(minutes * 1000) / 1000
}
