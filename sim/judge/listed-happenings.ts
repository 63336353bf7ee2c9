/**
 * Compares everything of a kind that happened with what a scenario lists: in the same order, no more and
 * no less. A scenario names only the fields that matter to it.
 */

import type { Expectation } from '../result/result-document.ts'
import type { Happening } from '../scenario/scenario.ts'

export function judgeList(
  name: string,
  expected: readonly Happening[],
  happened: readonly object[],
): Expectation {
  const actual = happened.map((each, at) => partOf(each, expected[at]))
  return { name, expected, actual, holds: JSON.stringify(actual) === JSON.stringify(expected) }
}

/** The fields of the value that the pattern names, in its order; all of them without a pattern. */
function partOf(value: unknown, pattern: unknown): unknown {
  if (!isRecord(value) || !isRecord(pattern)) return value
  const names = Object.keys(pattern).filter((name) => name in value)
  return Object.fromEntries(names.map((name) => [name, partOf(value[name], pattern[name])]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
