/**
 * The failure that a smaller scenario must still show: the same property or expectation, in the
 * same way. Without this condition, shrinking could move from one fault to another.
 */

import type { Failure } from '../judge/verdict.ts'
import type { Expectation } from '../result/result-document.ts'
import { isList } from '../scenario/expect.ts'

export type Breakage = {
  readonly kind: Failure['kind']
  /** The name of the property or expectation. */
  readonly name: string
  /** The way in which it failed, if it can fail in several ways; else empty. */
  readonly variant: string
}

/**
 * Returns the failure to shrink: a difference between two runs, else the earliest violation, from
 * which the others may follow, else a missed expectation.
 */
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
  return { kind, name, variant: variantOf(failure) }
}

export function isSame(a: Breakage, b: Breakage): boolean {
  return a.kind === b.kind && a.name === b.name && a.variant === b.variant
}

/** Exceptions are distinguished by their message without its numbers. */
function variantOf(failure: Failure): string {
  if (failure.kind === 'expectation') return sideOf(failure.expectation)
  const isException = failure.kind === 'property' && failure.name === 'engine-does-not-throw'
  return isException ? failure.violation.story.replaceAll(/\d+/g, '#') : ''
}

/** The side on which an expectation is missed. With fewer pull requests most are missed anyway. */
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
