/** Chapter "Bisection": how a bisection begins, tests, proves, convicts and ends. */

import { findingOn, isWaiting, knownOf } from './bisection-knowledge.ts'
import { convict, move, startRun, without } from './deeds.ts'
import { isDoubtful, isLeftToALook, isOnlyFlakes, isWorthALook } from './flakes.ts'
import { nextTest } from './group-testing.ts'
import { isSame } from './groups.ts'
import { Bisection } from './state.ts'
import type { Group, Model, PullRequest, Result } from './state.ts'
import { leaveBisections, returnSurvivors } from './survivors.ts'
import { deed } from './words.ts'

/** E-70, E-72: a failed batch is bisected on the tip of this instant. */
export function begin(model: Model, group: Group, failure: Result): void {
  model.bisections = [...model.bisections, new Bisection(model, group, failure)]
  model.line = without(model.line, group)
  move(model, group.members, 'PENDING', 'BISECTION_REQUIRED')
}

/** E-71: the slots that are free. */
const freeSlots = ({ settings, runs }: Model): number =>
  (settings.bisectionConcurrency ?? settings.concurrency) - runs.filter(({ of }) => of).length

/** E-71: they go to the earliest bisection. True if a run has started. */
export function startRuns(model: Model): boolean {
  const free = freeSlots(model)
  if (free <= 0 || model.state === 'PAUSED') return false
  for (const bisection of model.bisections) {
    const { open, retries } = bisection
    const due = retries.find(({ notBefore }) => notBefore <= model.at)
    if (due) {
      const tested = due.run.tested.filter((each) => open.includes(each))
      startOne(model, bisection, tested, due.attempt)
      return true
    }
    if (open.length === 0 || isWaiting(model, bisection)) continue
    const { fail, failing } = knownOf(bisection)
    if (fail && failing === 1 && isLeftToALook(model, bisection, fail)) continue
    for (const length of lengths(model, bisection, free)) {
      startOne(model, bisection, open.slice(0, length))
    }
    return true
  }
  return false
}

function startOne(model: Model, of: Bisection, tested: readonly PullRequest[], attempt = 0): void {
  const { tip, branch, inLine, proven } = of
  const base = [...inLine, ...proven]
  const run = startRun(model, { of, tip, branch, base, tested, attempt })
  of.spent++
  of.retries = of.retries.filter((each) => !isSame(each.run.contents, run.contents))
  // E-70: from the first run on, members that are not decided are TESTING.
  move(model, of.open, 'TESTING')
}

/** E-75 to E-77, E-80: the prefixes to run now. */
function lengths(model: Model, bisection: Bisection, free: number): number[] {
  const { failing, fail } = knownOf(bisection)
  const count = bisection.open.length
  if (fail && isOnlyFlakes(model, fail)) return [failing]
  if (failing === 1) return [1]
  const size = fail ? failing : count
  if (free === 1) {
    const isAffordable = bisection.spent + 1 + count <= 2 * bisection.size - 1
    const rate = (1 + model.judgedBad) / (10 + model.judged)
    return [isAffordable ? nextTest(rate, size, fail !== undefined) : 1]
  }
  // E-77: a range that is known to fail is not run as a whole. E-151: rounded up.
  const parts = fail ? Math.min(free, size - 1) + 1 : Math.min(free, size)
  const ends = Array.from({ length: parts }, (_, at) => Math.ceil(((at + 1) * size) / parts))
  return fail ? ends.slice(0, -1) : ends
}

/** E-73, E-86: one step of a bisection. True if it has changed something. */
export function advance(model: Model, bisection: Bisection): boolean {
  const { pass, fail, failing } = knownOf(bisection)
  if (pass) {
    prove(model, bisection, pass)
    return true
  }
  if (isWaiting(model, bisection)) return false
  if (bisection.open.length === 0) {
    end(model, bisection)
    return true
  }
  if (!fail || failing > 1 || isDoubtful(model, fail)) return false
  if (isLeftToALook(model, bisection, fail)) return false
  convictFirst(model, bisection, fail)
  return true
}

/** E-141: a second look in a slot that is left over; else a conviction by elimination. */
export function lookAgain(model: Model): boolean {
  const wanted = model.bisections.flatMap(({ retries }) => retries).length
  const slots = model.state === 'PAUSED' ? 0 : freeSlots(model) - wanted
  return model.bisections.some((bisection) => {
    const { fail, failing } = knownOf(bisection)
    if (!fail || !isWorthALook(bisection, fail) || bisection.retries.length > 0) return false
    const runs = model.runs.filter(({ of }) => of === bisection)
    if (runs.some(({ contents }) => isSame(contents, fail.contents))) return false
    // Beside the search one more slot stays free.
    if (slots >= (failing > 1 ? 2 : 1)) {
      startOne(model, bisection, bisection.open.slice(0, failing))
      return true
    }
    if (failing > 1 || isWaiting(model, bisection) || isDoubtful(model, fail)) return false
    convictFirst(model, bisection, fail)
    return true
  })
}

/** E-73: the longest prefix that passes. */
function prove(model: Model, bisection: Bisection, { run }: Result): void {
  const { passing, fail } = knownOf(bisection)
  const proven = bisection.open.slice(0, passing)
  bisection.open = bisection.open.slice(passing)
  bisection.proven = [...bisection.proven, ...proven]
  for (const each of proven) bisection.proofs.set(each, run)
  bisection.retries = bisection.retries.filter(
    (retry) => !proven.some((each) => each === retry.run.tested.at(-1)),
  )
  move(model, proven, 'TESTS_PASSED', 'TEST_RUN_PASSED')
  // E-78.
  if (fail) model.deeds.push(deed('saved runs', `saved run ${fail.run.id}`))
}

function convictFirst(model: Model, bisection: Bisection, failure: Result): void {
  const [first] = bisection.open
  const { reason, run } = failure
  if (!first || !reason) return
  // E-74: the failed run of the batch alone convicts it.
  const isByElimination = run.of === null && reason === 'TEST_RUN_REQUIRED_STATUS_FAILED'
  const shown = isByElimination ? 'TEST_RUN_FAILED_BY_OPTIMIZATION' : reason
  const base = findingOn(bisection, [])
  bisection.open = bisection.open.slice(1)
  bisection.hasLost = true
  convict(model, first, shown, failure, base?.reason === null ? base : undefined)
  leaveBisections(model, first, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-86, E-87. */
function end(model: Model, bisection: Bisection): void {
  model.bisections = without(model.bisections, bisection)
  if (!bisection.hasLost) for (const each of bisection.proven) each.flakeReturns++
  returnSurvivors(model, bisection)
}
