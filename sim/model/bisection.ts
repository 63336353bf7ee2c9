/** Chapter "Bisection": how a bisection begins, tests, proves, convicts and ends. */

import { fail as evict, returnToLine } from './departures.ts'
import { isScreenedBy, testsApart } from './policy.ts'
import { isSame, move, startRun, without } from './state.ts'
import type { Bisection, Group, Model, PullRequest, Result, Run } from './state.ts'
import { isOfOlderTip, isStopped, isUnexplained, passWithout } from './tip.ts'
import { isOnlyFlakes, isWorthALook, knownOf, nextOf } from './verdicts.ts'

/** E-70, E-72: a failed group is bisected on the tip of this instant. E-307: or each member by itself. */
export function begin(model: Model, group: Group, failure: Result): void {
  const { members, targets, isOvertaken } = group
  const { branch } = model
  const isOlder = isOfOlderTip(model, group)
  const isApart = members.length > 1 && testsApart(model, members)
  // E-193, E-237: an overtaken failure is no verdict, nor one on a branch that may have been mended; E-306.
  const isVoid = isApart || isOvertaken === true || (members.length > 1 && isOlder)
  const speaks = isVoid && !isOlder && failure.reason === 'TEST_RUN_REQUIRED_STATUS_FAILED'
  const others = speaks && (isApart || members.length === 1) ? members.length - 1 : undefined
  // E-74. Groups that share no target may have merged since; they do not count (E-152).
  const findings = isVoid ? [] : [{ ...failure, contents: [...branch, ...members] }]
  const start = { tip: branch.length, isTipMoved: false, hasLost: false, findings, others }
  for (const open of isApart ? members.map((one) => [one]) : [members]) {
    const of = { rank: ++model.bisectionsBegun, size: open.length, targets, branch, open, ...start }
    const none = { spent: findings.length, proven: [], proofs: new Map(), inLine: [], retries: [] }
    model.bisections = [...model.bisections, { ...of, ...none }]
  }
  model.line = without(model.line, group)
  move(model, members, 'PENDING', 'BISECTION_REQUIRED')
}

/** E-73, E-86: one step of the first bisection that has one to make. */
export function advance(model: Model): void {
  for (const bisection of model.bisections) {
    const next = nextOf(model, bisection)
    if (next === 'prove') return prove(model, bisection)
    if (next === 'convict' && !isUnexplained(model, bisection))
      return convictFirst(model, bisection)
    if (next === 'end') return end(model, bisection)
  }
}

function prove(model: Model, bisection: Bisection): void {
  const { passing, pass, fail } = knownOf(bisection)
  const proven = bisection.open.slice(0, passing)
  bisection.open = bisection.open.slice(passing)
  bisection.proven = [...bisection.proven, ...proven]
  for (const each of proven) if (pass) bisection.proofs.set(each, pass.run)
  const isOpen = ({ tested }: Run): boolean => tested.some((each) => bisection.open.includes(each))
  bisection.retries = bisection.retries.filter(({ run }) => isOpen(run))
  move(model, proven, 'TESTS_PASSED', 'TEST_RUN_PASSED', undefined, pass?.run)
  if (fail) model.effects.push({ is: 'save', run: fail.run }) // E-78.
}

function convictFirst(model: Model, bisection: Bisection): void {
  const { fail: failure } = knownOf(bisection)
  const [first, ...others] = bisection.open
  if (!first || !failure?.reason) return
  const { run, reason } = failure
  // E-74: the failed run of the batch alone convicts it.
  const isByElimination = run.of === null && reason === 'TEST_RUN_REQUIRED_STATUS_FAILED'
  const shown = isByElimination ? 'TEST_RUN_FAILED_BY_OPTIMIZATION' : reason
  bisection.open = others // E-85: runs under way go on.
  bisection.hasLost = true
  evict(model, first, shown, { failure, passed: passWithout(model, bisection) })
}

/** E-86, E-87. */
function end(model: Model, bisection: Bisection): void {
  model.bisections = without(model.bisections, bisection)
  const flaked = bisection.hasLost || (bisection.others ?? 0) > 0 ? [] : bisection.proven // E-307.
  for (const each of flaked) each.flakeReturns++
  returnToLine(model, bisection.proven, 'BISECTION_TEST_RUN_PASSED')
  const last = model.line.at(-1)
  if (last && bisection.proven.length > 0 && isScreenedBy(model, bisection.tip))
    last.isScreened = true
}

/** E-71: the slots that are free. */
function freeSlots(model: Model): number {
  const { settings, runs, state } = model
  if (state === 'PAUSED' || isStopped(model)) return 0
  const slots = settings.bisectionConcurrency ?? settings.concurrency
  return slots - runs.filter(({ of }) => of).length
}

/** E-71: they go to the earliest bisection. */
export function startRuns(model: Model): void {
  const free = freeSlots(model)
  if (free <= 0) return
  for (const bisection of model.bisections) {
    const { open, retries } = bisection
    const due = retries.find(({ notBefore }) => notBefore <= model.at)
    if (due) {
      const tested = due.run.tested.filter((each) => open.includes(each))
      return startOne(model, bisection, tested, due.attempt)
    }
    if (nextOf(model, bisection) !== 'test') continue
    for (const length of lengths(model, bisection, free)) {
      startOne(model, bisection, open.slice(0, length))
    }
    return
  }
}

function startOne(model: Model, of: Bisection, tested: readonly PullRequest[], attempt = 0): void {
  const { tip, branch, inLine, proven } = of
  const run = startRun(model, branch, { of, tip, base: [...inLine, ...proven], tested, attempt })
  of.spent++
  of.retries = of.retries.filter((each) => !isSame(each.run.contents, run.contents))
  move(model, of.open, 'TESTING') // E-70.
}

/** E-75 to E-77, E-80: the prefixes to run now. */
function lengths(model: Model, bisection: Bisection, free: number): number[] {
  const { failing, fail } = knownOf(bisection)
  const count = bisection.open.length
  if (failing === 1 || (fail && isOnlyFlakes(model, fail))) return [failing]
  const size = fail ? failing : count
  const isAffordable = bisection.spent + 1 + count <= 2 * bisection.size - 1
  if (free === 1) return [isAffordable ? nextTest(model.failureRate, size, fail !== undefined) : 1]
  // E-77: a range that is known to fail is not run as a whole. E-151: rounded up.
  const parts = fail ? Math.min(free, size - 1) + 1 : Math.min(free, size)
  const ends = Array.from({ length: parts }, (_, at) => Math.ceil(((at + 1) * size) / parts))
  return fail ? ends.slice(0, -1) : ends
}

/** E-141: a second look in a slot that is left over; else a conviction by elimination. */
export function lookAgain(model: Model): void {
  const slots = freeSlots(model) - model.bisections.flatMap(({ retries }) => retries).length
  const unplanned = model.bisections.filter((each) => each.retries.length === 0)
  for (const bisection of unplanned) {
    const { fail, failing } = knownOf(bisection)
    const isRun = ({ of, contents }: Run): boolean =>
      of === bisection && fail !== undefined && isSame(contents, fail.contents)
    if (!fail || !isWorthALook(model, bisection, fail) || model.runs.some(isRun)) continue
    const hasSlot = slots >= (failing > 1 ? 2 : 1) // One more stays free beside the search.
    if (hasSlot) startOne(model, bisection, bisection.open.slice(0, failing))
    else if (nextOf(model, bisection) === 'look' && !isUnexplained(model, bisection))
      convictFirst(model, bisection)
    else continue
    return
  }
}

/** E-151: rates from 0.001 below 0.95, each 1.02 times the one before. */
function rounded(rate: number): number {
  let step = 0.001
  while (step < rate && step * 1.02 < 0.95) step *= 1.02
  return step
}

/** E-75, after Sobel and Groll: how many of `size` to test next, when each fails with this rate. `areFailing`: as a whole. */
function nextTest(rate: number, size: number, areFailing: boolean): number {
  const bad = rounded(rate)
  const good = (count: number): number => (1 - bad) ** count
  // Expected runs to find the first bad one of so many, if there is one, and to settle so many.
  const [search, settle] = [[0], [0]]
  let costs: number[] = []
  for (let count = 1; count <= size; count++) {
    const searching = numbersTo(count - 1).map((first) => {
      const isIn = (1 - good(first)) / (1 - good(count))
      return 1 + isIn * (search[first] ?? 0) + (1 - isIn) * (search[count - first] ?? 0)
    })
    search.push(count === 1 ? 0 : Math.min(...searching))
    const settling = numbersTo(count).map((first) => {
      const afterFailure = numbersTo(first).reduce((sum, culprit) => {
        const runs = (search[first] ?? 0) + (settle[count - culprit] ?? 0)
        return sum + good(culprit - 1) * bad * runs
      }, 0)
      return 1 + good(first) * (settle[count - first] ?? 0) + afterFailure
    })
    settle.push(Math.min(...settling))
    costs = areFailing ? searching : settling
  }
  // The smallest of equal ones: sums in another order differ in the last digits.
  return costs.findIndex((each) => each < Math.min(...costs) + 1e-12) + 1
}

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)
