/**
 * What a smaller scenario must still do: break the same thing in the same way. Without that,
 * shrinking wanders from one fault to another and ends at whichever is easiest.
 */

import type { Failure } from '../command-line/verdict.ts'
import type { Expectation } from '../result/result-document.ts'
import { isList } from '../scenario/scenario.ts'

export type Breakage = {
  readonly kind: Failure['kind']
  /** The property, or the expectation. */
  readonly name: string
  /** In which of its ways it broke, where it has several. */
  readonly way: string
}

/** The failure to look into: what broke first is what the others may follow from. */
export function firstFailure(failures: readonly Failure[]): Failure | undefined {
  const differs = failures.find(({ kind }) => kind === 'difference')
  if (differs) return differs
  let first: Extract<Failure, { kind: 'property' }> | undefined
  for (const failure of failures) {
    if (failure.kind !== 'property') continue
    if (!first || failure.violation.sequence < first.violation.sequence) first = failure
  }
  return first ?? failures.find(({ kind }) => kind === 'expectation')
}

export function breakageOf(failure: Failure): Breakage {
  const { kind, name } = failure
  return { kind, name, way: wayOf(failure) }
}

export function isSame(a: Breakage, b: Breakage): boolean {
  return a.kind === b.kind && a.name === b.name && a.way === b.way
}

/** Exceptions are told apart by what they say, but for the numbers in it. */
function wayOf(failure: Failure): string {
  if (failure.kind === 'expectation') return sideOf(failure.expectation)
  const isException = failure.kind === 'property' && failure.name === 'engine-does-not-throw'
  return isException ? failure.violation.story.replaceAll(/\d+/g, '#') : ''
}

/** On which side an expectation is missed: fewer pull requests would miss most of them, too. */
function sideOf({ expected, actual }: Expectation): string {
  if (isList(expected) && isList(actual)) {
    const isMissing = expected.some((number) => !actual.includes(number))
    const isExtra = actual.some((number) => !expected.includes(number))
    return `${isMissing ? 'missing' : ''}${isExtra ? 'extra' : ''}`
  }
  if (typeof actual !== 'number') return String(actual)
  return actual < leastOf(expected) ? 'below' : 'above'
}

function leastOf(expected: unknown): number {
  if (typeof expected === 'number') return expected
  const isBounded = typeof expected === 'object' && expected !== null && 'min' in expected
  return isBounded && typeof expected.min === 'number' ? expected.min : -Infinity
}
