/** Chapter "Bisection": how a bisection begins, tests, proves, convicts and ends. */

import { cancelRun, evidence, move, prOf, say, textOfRun } from '../state/deeds.ts'
import { Bisection } from '../state/state.ts'
import type { Failure, Finding, Group, Model, Retry, Run } from '../state/state.ts'
import { contentsOf } from '../line/predecessors.ts'
import { isSameContent } from '../line/verdicts.ts'
import { isDoubtful, isLeftToSecondLook, isOnlyFlakes, isWorthIt } from './confirmation.ts'
import { nextTest } from './group-testing.ts'
import {
  baseOf,
  compositionOf,
  findingOn,
  isMember,
  isWaiting,
  knownOf,
  type Known,
} from './knowledge.ts'
import { returnSurvivors } from './survivors.ts'

/** E-70, E-72, E-74: a failed batch is bisected on the tip of this instant. */
export function begin(model: Model, group: Group, failure: Failure): void {
  const open = [...group.members]
  const bisection = new Bisection(model, group, contentsOf(model, open))
  bisection.findings.push({
    contents: compositionOf(bisection, open),
    passed: false,
    failure,
    run: failure.run,
    isOfBatch: true,
    isConfirmed: false,
  })
  model.bisections.push(bisection)
  model.line = model.line.filter((each) => each !== group)
  move(model, open, 'PENDING', 'BISECTION_REQUIRED')
}

/** E-71: free slots go to the earliest bisection. True if a run has started. */
export function startRuns(model: Model): boolean {
  const { bisectionConcurrency, concurrency } = model.settings
  const free = (bisectionConcurrency ?? concurrency) - model.bisectionRuns.length
  if (free <= 0) return false
  for (const bisection of model.bisections) {
    const due = bisection.retries.find(({ notBefore }) => notBefore <= model.at)
    if (due) {
      const tested = due.run.tested.filter((number) => bisection.open.includes(number))
      startRun(model, bisection, tested, due)
      return true
    }
    if (bisection.open.length === 0 || isWaiting(model, bisection)) continue
    const { fail, failing } = knownOf(bisection)
    if (fail && failing === 1 && isLeftToSecondLook(model, bisection, fail)) continue
    const open = [...bisection.open]
    for (const length of lengths(model, bisection, free)) {
      startRun(model, bisection, open.slice(0, length), null)
    }
    return true
  }
  return false
}

function startRun(model: Model, of: Bisection, tested: readonly number[], due: Retry | null): void {
  const run: Run = {
    id: 0,
    of: 'bisection',
    tip: of.tip,
    base: baseOf(of),
    tested,
    contents: compositionOf(of, tested),
    startedAt: model.at,
    deadline: model.at + model.settings.testingTimeoutMinutes * 60_000,
    attempt: due?.attempt ?? 0,
  }
  say(model, 'bisection runs', textOfRun(run), 'E-71 to E-81', { numbers: tested, run })
  model.bisectionRuns.push(run)
  of.underWay.push(run)
  of.started.push(run)
  of.spent++
  of.retries = of.retries.filter((each) => each.run.contents.join() !== run.contents.join())
  // E-70: from the first run on, members that are not decided are TESTING.
  move(model, [...tested, ...of.open], 'TESTING', null)
}

/** E-75 to E-77, E-80: the prefixes to run now. */
function lengths(model: Model, bisection: Bisection, free: number): number[] {
  const { failing, fail } = knownOf(bisection)
  const count = bisection.open.length
  if (fail && isOnlyFlakes(model, fail)) return [failing]
  if (failing === 1) return [1]
  if (free === 1) {
    const isAffordable = bisection.spent + 1 + count <= 2 * bisection.size - 1
    const rate = (1 + model.judgedBad) / (10 + model.judged)
    return [isAffordable ? nextTest(rate, fail ? failing : count, fail !== null) : 1]
  }
  const size = fail ? failing : count
  const parts = fail ? Math.min(free, size - 1) + 1 : Math.min(free, size)
  const cuts = Array.from({ length: fail ? parts - 1 : parts }, (_, at) => at + 1)
  // E-152: rounded up.
  return cuts.map((cut) => Math.min(Math.ceil((cut * size) / parts), fail ? size - 1 : size))
}

/** E-73, E-86: one step of a bisection. True if it has changed something. */
export function advance(model: Model, bisection: Bisection): boolean {
  const known = knownOf(bisection)
  if (known.pass) {
    prove(model, bisection, known, known.pass)
    return true
  }
  if (isWaiting(model, bisection)) return false
  const [first] = bisection.open
  if (first === undefined) {
    end(model, bisection)
    return true
  }
  const { fail } = known
  if (known.failing !== 1 || !fail?.failure || isDoubtful(model, fail)) return false
  if (isLeftToSecondLook(model, bisection, fail)) return false
  convict(model, bisection, first, fail, fail.failure)
  return true
}

/** E-81: a second look in a slot that is left over; else a conviction by elimination. */
export function lookAgain(model: Model): boolean {
  const { bisectionConcurrency, concurrency } = model.settings
  const wanted = model.bisections.flatMap(({ retries }) => retries).length
  const slots = (bisectionConcurrency ?? concurrency) - model.bisectionRuns.length - wanted
  return model.bisections.some((bisection) => {
    const { fail, failing } = knownOf(bisection)
    const [first = 0] = bisection.open
    if (!fail?.failure || !isWorthIt(bisection, fail)) return false
    const isRepeated = bisection.underWay.some((run) => isSameContent(run.contents, fail.contents))
    if (isRepeated || bisection.retries.length > 0) return false
    // Beside the search one more slot stays free.
    if (model.state !== 'PAUSED' && slots >= (failing > 1 ? 2 : 1)) {
      startRun(model, bisection, bisection.open.slice(0, failing), null)
      return true
    }
    if (failing > 1 || isWaiting(model, bisection) || isDoubtful(model, fail)) return false
    convict(model, bisection, first, fail, fail.failure)
    return true
  })
}

function prove(model: Model, bisection: Bisection, known: Known, { run }: Finding): void {
  const proven = bisection.open.slice(0, known.passing)
  bisection.open = bisection.open.slice(known.passing)
  bisection.proven.push(...proven)
  for (const number of proven) bisection.proofs.set(number, run)
  bisection.retries = bisection.retries.filter(
    (retry) => !proven.includes(retry.run.tested.at(-1) ?? 0),
  )
  move(model, proven, 'TESTS_PASSED', 'TEST_RUN_PASSED')
  if (known.fail)
    say(model, 'saved runs', `saved run ${known.fail.run.id}`, 'E-78', { numbers: proven })
}

function convict(
  model: Model,
  bisection: Bisection,
  number: number,
  finding: Finding,
  failure: Failure,
): void {
  // E-74: the failed run of the batch alone convicts it.
  const isByElimination = finding.isOfBatch && failure.reason === 'TEST_RUN_REQUIRED_STATUS_FAILED'
  const reason = isByElimination ? 'TEST_RUN_FAILED_BY_OPTIMIZATION' : failure.reason
  const without = findingOn(bisection, [])
  const shown = evidence(failure, without?.passed === true ? without.run : null)
  bisection.open = bisection.open.filter((each) => each !== number)
  bisection.convicted++
  model.judged++
  model.judgedBad++
  move(model, [number], 'FAILED', reason, shown)
  departFromAll(model, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-86. */
function end(model: Model, bisection: Bisection): void {
  model.bisections = model.bisections.filter((each) => each !== bisection)
  const isFlake = bisection.convicted === 0 && bisection.departed === 0
  if (isFlake) for (const number of bisection.proven) prOf(model, number).flakeReturns++
  returnSurvivors(model, bisection.proven)
}

/** E-90, E-91: a member leaves every bisection that it is in. */
export function departFromAll(
  model: Model,
  number: number,
  cause: 'PREREQUISITE_MERGE_ITEM_FAILED' | 'PREREQUISITE_MERGE_ITEM_CANCELLED',
): void {
  for (const bisection of model.bisections) {
    if (!isMember(model, bisection, number)) continue
    const { content } = prOf(model, number)
    for (const run of [...bisection.underWay]) {
      if (run.contents.includes(content)) cancelRun(model, run, cause)
    }
    const isUnproven = (each: number): boolean =>
      bisection.proofs.get(each)?.contents.includes(content) === true
    const reopened = bisection.proven.filter((each) => each !== number && isUnproven(each))
    const at = bisection.inLine.indexOf(number)
    if (at !== -1) bisection.inLine = bisection.inLine.slice(0, at)
    bisection.proven = bisection.proven.filter((each) => each !== number && !isUnproven(each))
    bisection.open = [...reopened, ...bisection.open.filter((each) => each !== number)]
    bisection.retries = bisection.retries.filter(({ run }) => !run.contents.includes(content))
    bisection.departed++
    move(model, reopened, 'PENDING', cause)
    move(model, reopened, 'TESTING', null)
  }
}
