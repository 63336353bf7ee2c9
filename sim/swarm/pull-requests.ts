/** The pull requests of a swarm scenario: arrival times, submit options and truth. */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { Priority, PullRequestEntry, Relation } from '../scenario/scenario.ts'
import { type Dice, type ScenarioDraft, instant, typicalMinutes } from './scenario-draft.ts'
import { loneFlake, quarantinable, situationOf } from './situations.ts'

// Impacted targets in the swarm: hubs that many pull requests share, rare ones, ALL, and none.

const hubs = ['core', 'core', 'web', 'api'] as const
const leaves = ['docs', 'ios', 'billing', 'search', 'web', 'api'] as const

/** Returns the targets that are uploaded before the submission; null if none are. */
function targetsOf(draft: ScenarioDraft, index: number): ImpactedTargets | null {
  const { dice, has } = draft
  const areUsed = has('parallel mode') || has('mode switches')
  if (!areUsed || dice.chance(`no targets yet ${index}`, 0.1)) return null
  return someTargets(draft, `${index}`)
}

/** Returns a list of targets, or ALL. `what` is part of the draw keys. */
export function someTargets({ dice, has }: ScenarioDraft, what: string): ImpactedTargets {
  const kind = dice.between(`targets ${what}`, 1, 100)
  if (kind <= 8) return 'ALL'
  if (kind <= 18) return []
  if (has('long target lists') && dice.chance(`long list ${what}`, 0.5)) {
    return longList(dice, what)
  }
  const leaf = dice.pick(`leaf ${what}`, leaves)
  if (kind <= 60) return [leaf]
  const hub = dice.pick(`hub ${what}`, hubs)
  return kind <= 75 || hub === leaf ? [hub] : [leaf, hub]
}

/** Rare ones first, so that two lists mostly share one that stands far behind. */
function longList(dice: Dice, what: string): string[] {
  const own = Array.from({ length: dice.between(`own targets ${what}`, 2, 40) }, (_, nth) => {
    return `only ${what} ${nth}`
  })
  return [...own, dice.pick(`leaf behind ${what}`, leaves), dice.pick(`hub behind ${what}`, hubs)]
}

/** Ranges of the number of pull requests: small, because small failures are easier to read. */
const sizes = [
  [1, 4],
  [3, 8],
  [5, 12],
  [8, 20],
  [15, 40],
] as const

/** With far settings: some batches have more than 16 members. */
const farSizes = [
  [18, 30],
  [30, 60],
] as const

/** A prime: multiples of a stride modulo it are distinct, for up to one pull request fewer. */
const numbersEnd = 101

/** Returns the pull requests in order of arrival. */
export function pullRequestsOf(draft: ScenarioDraft): readonly PullRequestEntry[] {
  const { dice, has } = draft
  const situation = situationOf(draft)
  const usual = has('far settings') ? dice.pick('far size', farSizes) : dice.pick('size', sizes)
  const [fewest, most] = situation?.sizes ?? usual
  const count = dice.between('count', fewest, most)
  const stride = has('unordered numbers') ? dice.between('stride', 2, numbersEnd - 1) : 1
  const breakRate = dice.pick('break rate', [0.05, 0.15, 0.3, 0.6, 1])
  const entries: PullRequestEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    const number = ((index + 1) * stride) % numbersEnd
    const isLast = index === count - 1
    at += index === 0 ? 0 : gapBefore(draft, index, isLast)
    const breaks = mayBreak(draft) && dice.chance(`breaks ${index}`, breakRate)
    const truth = {
      ...(breaks ? { breaks, ...caught(draft, index) } : {}),
      ...relationsOf(draft, entries, index),
    }
    const options = submitOptionsOf(draft, index)
    const mend = mendOf(draft, index)
    entries.push({ number, at, ...truth, ...options, ...workOf(draft, index, truth), ...mend })
  }
  const all = draft.has('stacks') ? stacked(draft, entries) : entries
  const drawn = has('refused below a stack') ? all.map(inStackedBatch) : all
  return situation?.pullRequests?.(drawn, dice) ?? drawn
}

/** The first four arrive together. The third depends on the second, and the last breaks. */
function inStackedBatch(
  entry: PullRequestEntry,
  index: number,
  entries: readonly PullRequestEntry[],
): PullRequestEntry {
  if (index > 3) return entry
  const { number, targets } = entry
  const [, second] = entries
  return {
    number,
    at: 0,
    ...(targets === undefined ? {} : { targets: ['core'] }),
    ...(index === 2 && second ? { dependsOn: [second.number] } : {}),
    ...(index === 3 ? { breaks: true } : {}),
  }
}

/** Where tests are in quarantine, most break one that may be. */
function caught({ dice, has }: ScenarioDraft, index: number): Pick<PullRequestEntry, 'breaksTest'> {
  const isListed = has('quarantine') || has('quarantine changes') || has('quarantine runs out')
  if (!isListed) return {}
  if (!dice.chance(`caught ${index}`, 0.6)) return {}
  return { breaksTest: dice.pick(`caught by ${index}`, quarantinable) }
}

/**
 * Half of them depend on the one that arrives directly before them, and some on the one after. Who shares no target
 * with what it depends on could merge directly before it.
 */
function stacked(draft: ScenarioDraft, entries: readonly PullRequestEntry[]): PullRequestEntry[] {
  const { dice, has } = draft
  const all = entries.map((entry, index) => {
    const mayMerge = has('direct merges') && entry.targets !== undefined
    return mayMerge && dice.chance(`sharing ${index}`, 0.5) ? { ...entry, targets: [] } : entry
  })
  return all.map((entry, index) => {
    const below = all[index + belowIn(draft, index)]
    const isAlone = below === undefined || below === entry || closesCircle(draft, index)
    return isAlone ? entry : { ...entry, dependsOn: [below.number] }
  })
}

/** How many places after it the one arrives that this one depends on; 0 if it depends on nobody. */
function belowIn({ dice, has }: ScenarioDraft, index: number): -1 | 0 | 1 {
  if (!has('stacks') || !dice.chance(`stacked ${index}`, 0.5)) return 0
  return dice.chance(`stacked early ${index}`, 0.2) ? 1 : -1
}

/** Of two that depend on each other, the second comes alone, and asks for the circle then. */
export const closesCircle = (draft: ScenarioDraft, index: number): boolean =>
  belowIn(draft, index) === -1 && belowIn(draft, index - 1) === 1

/** Returns the minutes between the arrival before and this one. */
function gapBefore(draft: ScenarioDraft, index: number, isLast: boolean): number {
  const { dice, has } = draft
  const gap = (from: number, to: number): number =>
    instant(draft, `gap ${index}`, { from: from * typicalMinutes, to: to * typicalMinutes })
  if (isLast && has('quiet tail')) return gap(30, 40)
  if (has('bursts') && dice.chance(`in a burst ${index}`, 0.7)) return 0
  return dice.chance(`pause before ${index}`, 0.1) ? gap(2, 8) : gap(0, 1)
}

type TruthFields = Pick<PullRequestEntry, 'breaks' | Relation>

/** Returns its relations to pull requests that arrive shortly before it. */
function relationsOf(
  { dice, has }: ScenarioDraft,
  before: readonly PullRequestEntry[],
  index: number,
): TruthFields {
  const near = (what: string, among: readonly PullRequestEntry[]): number[] => {
    const [first, ...rest] = among.slice(-4).map(({ number }) => number)
    return first === undefined ? [] : [dice.pick(`${what} ${index} with`, [first, ...rest])]
  }
  const some = (
    feature: 'pairs' | 'clashing pairs' | 'fixes' | 'text conflicts',
    rate: number,
  ): boolean => has(feature) && dice.chance(`${feature} ${index}`, rate)
  const culprits = before.filter(({ breaks }) => breaks)
  const breaksWith = !has('lone flakes') && some('pairs', 0.3) ? near('pairs', before) : []
  const clashesWith =
    !has('lone flakes') && some('clashing pairs', 0.3) ? near('clashing pairs', before) : []
  const fixes = some('fixes', 0.4) ? near('fixes', culprits) : []
  const conflictsWith = some('text conflicts', 0.35) ? near('text conflicts', before) : []
  return {
    ...(breaksWith.length > 0 ? { breaksWith } : {}),
    ...(clashesWith.length > 0 ? { clashesWith } : {}),
    ...(fixes.length > 0 ? { fixes } : {}),
    ...(conflictsWith.length > 0 ? { conflictsWith } : {}),
  }
}

function submitOptionsOf({ dice, has }: ScenarioDraft, index: number): Partial<PullRequestEntry> {
  const isUrgent = has('urgents') && dice.chance(`urgent ${index}`, 0.15)
  const named = has('priorities')
    ? dice.pick(`priority ${index}`, ['high', 'medium', 'medium', 'low'])
    : null
  const isUnnamed = has('unnamed priorities') && dice.chance(`unnamed ${index}`, 0.7)
  const value = isUnnamed ? unnamedPriority(dice, `${index}`) : named
  const priority: Priority | null = isUrgent ? 'urgent' : value
  const isAlone = has('noBatch') && dice.chance(`noBatch ${index}`, 0.25)
  return { ...(priority === null ? {} : { priority }), ...(isAlone ? { noBatch: true } : {}) }
}

/** Some repair what pushes have broken, and most of these pass the stop of the queue (E-233). */
function mendOf({ dice, has }: ScenarioDraft, index: number): Partial<PullRequestEntry> {
  if (!has('breaking pushes') || !dice.chance(`mends the branch ${index}`, 0.15)) return {}
  return {
    mendsBranch: true,
    ...(dice.chance(`mends at once ${index}`, 0.7) ? { priority: 'urgent' } : {}),
  }
}

/** Returns its targets, the length and flakes of its runs, and whether it is green on the tip. */
function workOf(
  draft: ScenarioDraft,
  index: number,
  { breaks }: TruthFields,
): Partial<PullRequestEntry> {
  const { dice, has } = draft
  const isSlow = has('slow pull requests') && dice.chance(`slow ${index}`, 0.2)
  // With pairs, a green pull request could still break the branch. That is no fault of the queue.
  const hasPairs = has('pairs') || has('clashing pairs') || has('generated clashes')
  const mayBeGreen = has('direct merges') && !hasPairs && breaks !== true
  const targets = targetsOf(draft, index)
  return {
    ...(targets === null ? {} : { targets }),
    ...(isSlow ? { testMinutes: dice.between(`minutes ${index}`, 12, 40) } : {}),
    ...flakesOf(draft, index),
    ...(mayBeGreen && dice.chance(`green ${index}`, 0.5) ? { greenOnTip: true } : {}),
  }
}

/** With a lone flake all pull requests are healthy, so that a batch fails for no other reason. */
const mayBreak = ({ has }: ScenarioDraft): boolean => has('culprits') && !has('lone flakes')

function flakesOf({ dice, has }: ScenarioDraft, index: number): Partial<PullRequestEntry> {
  if (has('lone flakes')) return loneFlakeOf(dice, index)
  const isFlaky = has('flaky pull requests') && dice.chance(`flaky ${index}`, 0.3)
  const flakesFirst = has('flaky first runs') && dice.chance(`flakes first ${index}`, 0.4)
  if (has('second tries') && dice.chance(`fails twice ${index}`, 0.3))
    return { flakyRuns: differentFailures }
  return {
    ...(isFlaky ? { flakeRate: 0.4 } : {}),
    ...(flakesFirst ? { flakyRuns: dice.pick(`flaky runs ${index}`, someFlakyRuns) } : {}),
  }
}

/** Flakes of one test, which the queue soon knows as flaky and which may fail a first run. */
function loneFlakeOf(dice: Dice, index: number): Partial<PullRequestEntry> {
  const test = loneFlake
  if (dice.chance(`flakes once ${index}`, 0.2)) return { flakyRuns: [{ run: 1, tests: [test] }] }
  const isSeen = index === 0 || dice.chance(`retries once ${index}`, 0.2)
  return isSeen ? { flakyRuns: [{ run: 1, tests: [], retried: [test] }] } : {}
}

const someFlakyRuns = [[1], [1], [2], [1, 3], [1, 2, 3, 4, 5, 6]] as const

/** A run that fails in one test, and the next one in another. */
const differentFailures = [
  { run: 1, tests: ['first > one', 'both'] },
  { run: 2, tests: ['then > another', 'both'] },
] as const

/** The values between and around those with a name; some are drawn often, so that they meet. */
const unnamedPriorities = [
  [1, 1],
  [1, 9],
  [11, 99],
  [101, 199],
  [150, 150],
  [201, 255],
  [255, 255],
] as const

/** Returns a priority that no name stands for. `what` is part of the draw keys. */
export function unnamedPriority(dice: Dice, what: string): number {
  const [from, to] = dice.pick(`kind of priority ${what}`, unnamedPriorities)
  return dice.between(`unnamed priority ${what}`, from, to)
}
