/** The pull requests of a swarm scenario: when they come, what their authors wish, what is true. */

import type { Priority, PullRequestEntry } from '../scenario/scenario.ts'
import type { Dice } from './dice.ts'
import { instant, typicalMinutes, type Sketch } from './sketch.ts'
import { targetsOf } from './targets.ts'

/** From a lone pull request to a busy afternoon; small, because small failures teach more. */
const sizes = [
  [1, 4],
  [3, 8],
  [5, 12],
  [8, 20],
  [15, 40],
] as const

/** Distinct numbers in no order, for that many pull requests at most: a prime. */
const numbersEnd = 101

/** In the order in which they come. */
export function pullRequestsOf(sketch: Sketch): PullRequestEntry[] {
  const { dice, has } = sketch
  const [fewest, most] = dice.pick('size', sizes)
  const count = dice.between('count', fewest, most)
  const stride = has('unordered numbers') ? dice.between('stride', 2, numbersEnd - 1) : 1
  const breakRate = dice.pick('break rate', [0.05, 0.15, 0.3, 0.6, 1])
  const entries: PullRequestEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    const number = ((index + 1) * stride) % numbersEnd
    const isLast = index === count - 1
    at += index === 0 ? 0 : gapBefore(sketch, index, isLast)
    const breaks = mayBreak(sketch) && dice.chance(`breaks ${index}`, breakRate)
    const truth = { ...(breaks ? { breaks } : {}), ...relationsOf(sketch, entries, index) }
    const wishes = wishesOf(sketch, index)
    entries.push({ number, at, ...truth, ...wishes, ...workOf(sketch, index, truth) })
  }
  return entries
}

/** How long after the one before it a pull request comes. */
function gapBefore(sketch: Sketch, index: number, isLast: boolean): number {
  const { dice, has } = sketch
  const gap = (from: number, to: number): number =>
    instant(sketch, `gap ${index}`, { from: from * typicalMinutes, to: to * typicalMinutes })
  if (isLast && has('quiet tail')) return gap(30, 40)
  if (has('bursts') && dice.chance(`in a burst ${index}`, 0.7)) return 0
  return dice.chance(`pause before ${index}`, 0.1) ? gap(2, 8) : gap(0, 1)
}

type Truth = Pick<PullRequestEntry, 'breaks' | 'breaksWith' | 'fixes' | 'conflictsWith'>

/** How it gets along with those that came shortly before it. */
function relationsOf(
  { dice, has }: Sketch,
  before: readonly PullRequestEntry[],
  index: number,
): Truth {
  const near = (what: string, among: readonly PullRequestEntry[]): number[] => {
    const [first, ...rest] = among.slice(-4).map(({ number }) => number)
    return first === undefined ? [] : [dice.pick(`${what} ${index} with`, [first, ...rest])]
  }
  const some = (feature: 'pairs' | 'fixes' | 'text conflicts', rate: number): boolean =>
    has(feature) && dice.chance(`${feature} ${index}`, rate)
  const culprits = before.filter(({ breaks }) => breaks)
  const breaksWith = !has('lone flakes') && some('pairs', 0.3) ? near('pairs', before) : []
  const fixes = some('fixes', 0.4) ? near('fixes', culprits) : []
  const conflictsWith = some('text conflicts', 0.35) ? near('text conflicts', before) : []
  return {
    ...(breaksWith.length > 0 ? { breaksWith } : {}),
    ...(fixes.length > 0 ? { fixes } : {}),
    ...(conflictsWith.length > 0 ? { conflictsWith } : {}),
  }
}

function wishesOf({ dice, has }: Sketch, index: number): Partial<PullRequestEntry> {
  const isUrgent = has('urgents') && dice.chance(`urgent ${index}`, 0.15)
  const priority: Priority | null = isUrgent
    ? 'urgent'
    : has('priorities')
      ? dice.pick(`priority ${index}`, ['high', 'medium', 'medium', 'low'])
      : null
  const isAlone = has('noBatch') && dice.chance(`noBatch ${index}`, 0.25)
  return { ...(priority ? { priority } : {}), ...(isAlone ? { noBatch: true } : {}) }
}

/** What its runs are like, and what the build and the code host know of it. */
function workOf(sketch: Sketch, index: number, { breaks }: Truth): Partial<PullRequestEntry> {
  const { dice, has } = sketch
  const isSlow = has('slow pull requests') && dice.chance(`slow ${index}`, 0.2)
  // A host that calls green what a pair breaks would break the branch: that is not the queue's doing.
  const mayBeGreen = has('direct merges') && !has('pairs') && breaks !== true
  const targets = targetsOf(sketch, index)
  return {
    ...(targets === null ? {} : { targets }),
    ...(isSlow ? { testMinutes: dice.between(`minutes ${index}`, 12, 40) } : {}),
    ...flakesOf(sketch, index),
    ...(mayBeGreen && dice.chance(`green ${index}`, 0.5) ? { greenOnTip: true } : {}),
  }
}

/** Beside a lone flake everybody is healthy, so that a batch fails for no other reason. */
const mayBreak = ({ has }: Sketch): boolean => has('culprits') && !has('lone flakes')

function flakesOf({ dice, has }: Sketch, index: number): Partial<PullRequestEntry> {
  if (has('lone flakes')) return loneFlakeOf(dice, index)
  const isFlaky = has('flaky pull requests') && dice.chance(`flaky ${index}`, 0.3)
  const flakesFirst = has('flaky first runs') && dice.chance(`flakes first ${index}`, 0.4)
  return {
    ...(isFlaky ? { flakeRate: 0.4 } : {}),
    ...(flakesFirst ? { flakyRuns: dice.pick(`flaky runs ${index}`, someFlakyRuns) } : {}),
  }
}

/** One test that the queue soon knows to flake, and that makes a first run fail now and then. */
function loneFlakeOf(dice: Dice, index: number): Partial<PullRequestEntry> {
  const test = 'clock > strikes twelve'
  if (dice.chance(`flakes once ${index}`, 0.2)) return { flakyRuns: [{ run: 1, tests: [test] }] }
  const isSeen = index === 0 || dice.chance(`retries once ${index}`, 0.2)
  return isSeen ? { flakyRuns: [{ run: 1, tests: [], retried: [test] }] } : {}
}

const someFlakyRuns = [[1], [1], [2], [1, 3], [1, 2, 3, 4, 5, 6]] as const
