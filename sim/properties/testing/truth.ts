/** A truth told in lists, as plain as can be. */

import type { Branch, Truth } from '../../world/truth.ts'

export type Facts = {
  readonly breaks?: readonly number[]
  /** Break only together. */
  readonly pairs?: readonly (readonly [number, number])[]
  /** With the first in it, the second does not break. */
  readonly fixes?: readonly (readonly [number, number])[]
  /** Do not merge as text. */
  readonly conflicts?: readonly (readonly [number, number])[]
}

/** Whether the tests would fail on a branch that holds exactly these. */
export function isBroken(facts: Facts, held: ReadonlySet<number>): boolean {
  const { breaks = [], pairs = [], fixes = [] } = facts
  const isFixed = (number: number): boolean =>
    fixes.some(([fixer, fixed]) => fixed === number && held.has(fixer))
  const isBad = (number: number): boolean => held.has(number) && !isFixed(number)
  return breaks.some(isBad) || pairs.some(([a, b]) => isBad(a) && isBad(b))
}

export function truthOf(facts: Facts): Truth {
  const { pairs = [], fixes = [], conflicts = [] } = facts
  const related = [...pairs, ...fixes, ...conflicts]
  return {
    relativesOf: (number) =>
      related.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : [])),
    emptyBranch: () => branchOf(facts),
    conflict: (a, b) =>
      facts.conflicts?.some((pair) => pair.includes(a) && pair.includes(b)) === true,
  }
}

function branchOf(facts: Facts): Branch {
  const held = new Set<number>()
  return {
    add: (number) => void held.add(number),
    holds: (number) => held.has(number),
    get isBroken() {
      return isBroken(facts, held)
    },
    wouldBreak: (added) => isBroken(facts, new Set([...held, ...added])),
  }
}
