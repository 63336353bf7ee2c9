/** The truth about pull requests, given as lists. */

import type { Branch, Truth } from '../../world/truth.ts'

export type TruthFacts = {
  readonly breaks?: readonly number[]
  /** Pairs that break only together. */
  readonly pairs?: readonly (readonly [number, number])[]
  /** If the first is on the branch, the second does not break. */
  readonly fixes?: readonly (readonly [number, number])[]
  /** Pairs that conflict as text. */
  readonly conflicts?: readonly (readonly [number, number])[]
}

/** Whether the tests would fail on a branch that holds exactly these. */
export function isBroken(facts: TruthFacts, held: ReadonlySet<number>): boolean {
  const { breaks = [], pairs = [], fixes = [] } = facts
  const isFixed = (number: number): boolean =>
    fixes.some(([fixer, fixed]) => fixed === number && held.has(fixer))
  const isBad = (number: number): boolean => held.has(number) && !isFixed(number)
  return breaks.some(isBad) || pairs.some(([a, b]) => isBad(a) && isBad(b))
}

export function truthOf(facts: TruthFacts): Truth {
  const { pairs = [], fixes = [], conflicts = [] } = facts
  const related = [...pairs, ...fixes, ...conflicts]
  return {
    relativesOf: (number) =>
      related.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : [])),
    beforeChange: () => undefined,
    beforeRenewal: () => undefined,
    emptyBranch: () => branchOf(facts),
    conflict: (a, b) =>
      facts.conflicts?.some((pair) => pair.includes(a) && pair.includes(b)) === true,
  }
}

function branchOf(facts: TruthFacts): Branch {
  /** Null is a commit from outside. */
  const commits: (number | null)[] = []
  const broken = (added: readonly number[], length = commits.length): boolean => {
    const held = commits.slice(0, length).filter((number) => number !== null)
    return isBroken(facts, new Set([...held, ...added]))
  }
  return {
    add: (number) => void commits.push(number),
    addForeign: () => void commits.push(null),
    holds: (number) => commits.includes(number),
    get isBroken() {
      return broken([])
    },
    wasMended: false,
    isBrokenByPush: () => false,
    wouldBreak: broken,
  }
}
