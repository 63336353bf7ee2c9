/** What the simulator plays for a queue: the test runner and the code host. */

import type {
  Command,
  FinishTestRun,
  Millis,
  TestRun,
  TestRunId,
  TestRunner,
  CodeHost,
  CommandBody,
  MergeRefusal,
  PullRequestNumber,
} from '../../engine/index.ts'
import { toMillis } from '../scenario/time.ts'
import type { PlannedRun, World } from '../world/world.ts'
import type { Faults, ResultDelivery } from './faults.ts'
import type { VirtualClock } from './virtual-clock.ts'

// A test runner in simulated time: the world decides how each run ends, unless a fault occurs.

/** The time between the first and the second report. */
const echoAfterMs: Millis = toMillis(1)

/** The time that the build of a branch takes. */
const buildMs: Millis = toMillis(0.1)

type PortContext = {
  readonly clock: VirtualClock
  readonly world: World
  readonly faults: Faults
  readonly now: () => Millis
}

type TestRunnerContext = PortContext & {
  /** Text conflicts are found when the branch of a run is built. */
  readonly conflictsFoundByBuild: boolean
  /** Called when a run starts, with the way it will end. */
  readonly onRunPlanned: ((run: TestRun, planned: PlannedRun) => void) | undefined
}

type Build = {
  readonly run: TestRun
  readonly planned: PlannedRun
  readonly found?: ReturnType<World['conflictIn']>
}

export class SimulatedTestRunner implements TestRunner {
  readonly #context: TestRunnerContext
  readonly #underWay = new Map<TestRunId, PlannedRun>()

  constructor(context: TestRunnerContext) {
    this.#context = context
  }

  /** The engine repeats a start after a crash: the second call has no effect. */
  start(run: TestRun): void {
    if (this.#underWay.has(run.id)) return
    const { world, faults, onRunPlanned } = this.#context
    const planned = world.plannedRunOf(run)
    onRunPlanned?.(run, planned)
    this.#underWay.set(run.id, planned)
    if (this.#findsConflict(run, planned)) return
    const { startedAt } = run
    const due = startedAt + planned.lengthMs
    const report = faults.reportOf(planned.key, { from: startedAt, to: due })
    if (report.kind === 'never') return
    const at = due + report.lateMs
    const result = resultOf(run, report.kind === 'lost' ? null : planned, report.echo, at)
    const isEchoed = report.echo !== 'none'
    this.#report(at, planned, () =>
      isEchoed || this.#underWay.has(run.id) ? [result] : noCommands,
    )
    if (!isEchoed) return
    const echo = report.echo === 'same' ? result : oppositeOf(result)
    this.#echo(echo, planned, at + echoAfterMs)
  }

  /** The second report waits for the first one, which may have been lost and sent again. */
  #echo(echo: FinishTestRun, planned: PlannedRun, at: Millis): void {
    this.#report(at, planned, () => {
      if (!this.#underWay.has(echo.testRun)) return [{ ...echo, at }]
      this.#echo(echo, planned, this.#context.now() + echoAfterMs)
      return noCommands
    })
  }

  /**
   * True if the branch of the run cannot be built. It tries again while the run is under way: the
   * report may be refused because the code host is merging one of the two.
   */
  #findsConflict(run: TestRun, planned: PlannedRun): boolean {
    const { conflictsFoundByBuild, world } = this.#context
    const found = conflictsFoundByBuild ? world.conflictIn(run) : null
    if (!found) return false
    this.#build({ run, planned, found }, run.startedAt + buildMs)
    return true
  }

  /** What it has found at first may have merged by the time of the report. */
  #build({ run, planned, found }: Build, at: Millis): void {
    this.#report(at, planned, () => {
      if (!this.#underWay.has(run.id)) return noCommands
      this.#build({ run, planned }, this.#context.now() + echoAfterMs)
      const conflict = found ?? this.#context.world.conflictIn(run)
      return conflict
        ? [{ type: 'reportUnbuildable', testRun: run.id, ...conflict, at }]
        : noCommands
    })
  }

  /** Also when the run has ended: from now on nothing is reported of it. */
  cancel(testRun: TestRunId): void {
    this.#underWay.delete(testRun)
  }

  /** Whether the run, in progress or just ended, fails only because of a flake. */
  isFlake(testRun: TestRunId): boolean {
    const planned = this.#underWay.get(testRun)
    if (!planned) return false
    const { truth } = this.#context.world
    // What breaks only tests in quarantine fails no run.
    const hasCause = planned.culprits.some((number) => !truth.isHidden(number))
    return planned.flakyTests !== null && !hasCause
  }

  #report(at: Millis, { key }: PlannedRun, commands: () => readonly Command[]): void {
    this.#context.clock.schedule({ at, kind: 'result', name: key, commands })
  }
}

const noCommands: readonly Command[] = []

/** The command that reports the result of a run; without a plan, that the runner has lost it. */
function resultOf(
  { id: testRun }: TestRun,
  planned: PlannedRun | null,
  echo: ResultDelivery['echo'],
  at: Millis,
): FinishTestRun & { readonly at: Millis } {
  const type = 'finishTestRun'
  if (!planned) return { type, testRun, outcome: 'errored', at }
  const { outcome, retriedTests } = planned
  // Who reports a result twice also names each test twice.
  const failedTests = [...planned.failedTests, ...(echo === 'same' ? planned.failedTests : [])]
  return {
    type,
    testRun,
    outcome,
    ...(failedTests.length > 0 ? { failedTests } : {}),
    ...(retriedTests.length > 0 ? { flakyTests: retriedTests.map((name) => ({ name })) } : {}),
    at,
  }
}

/** A report of the same run with the opposite outcome; for a lost run, that it passed. */
function oppositeOf({ type, testRun, outcome }: FinishTestRun): FinishTestRun {
  return { type, testRun, outcome: outcome === 'passed' ? 'failed' : 'passed' }
}

// A code host in simulated time. It answers a merge after some time, and may refuse it, or land
// only the first of several. It always
// refuses a pull request that conflicts as text with the current branch: pull requests in lanes
// without a common target are tested and merged independently of each other. If it refuses because
// somebody has pushed to the branch, it may also report that push, before the answer or after it.

/** The branch moves during at most this many merges of one pull request. */
const mostMoves = 3

export class SimulatedCodeHost implements CodeHost {
  readonly #context: PortContext
  /** The requests that the engine has no answer to, by their first pull request. */
  readonly #merging = new Map<PullRequestNumber, readonly PullRequestNumber[]>()
  /**
   * The number of merge requests per pull request: each request has its own draw, so that a later
   * one may succeed.
   */
  readonly #requests = new Map<PullRequestNumber, number>()

  constructor(context: PortContext) {
    this.#context = context
  }

  /**
   * The engine repeats a request after a crash: the second call has no effect. A request is known by
   * its first pull request.
   */
  merge(numbers: readonly PullRequestNumber[]): void {
    const [number] = numbers
    if (number === undefined || this.#merging.has(number)) return
    this.#merging.set(number, numbers)
    const key = this.#keyOfRequest(number)
    const { faults } = this.#context
    const refused = this.#refusalOf(number, key)
    const isMoved = refused === 'TARGET_BRANCH_MOVED'
    const noticed = isMoved ? faults.noticeOf(key) : 'never'
    if (noticed === 'before') this.#reportPush(number)
    this.#answer(numbers, refused, key)
    if (noticed === 'after') this.#reportPush(number)
  }

  /** The engine has an answer about this pull request. A crash may have lost it before. */
  acknowledge(number: PullRequestNumber): void {
    for (const [first, numbers] of this.#merging) {
      if (numbers.includes(number)) this.#merging.delete(first)
    }
  }

  /** An event of its own, because the engine may crash between the push and the answer. */
  #reportPush(number: PullRequestNumber): void {
    this.#schedule(`push ${number}`, () => ({ type: 'reportPush' }))
  }

  #answer(numbers: readonly PullRequestNumber[], refused: MergeRefusal | null, key: string): void {
    const [first = 0] = numbers
    this.#schedule(first, () => {
      const conflicted = this.#notMerged(numbers).find((each) => this.#conflictsWithBranch(each))
      if (conflicted !== undefined) return conflicting(conflicted)
      return this.#answerOf(numbers, refused, key)
    })
  }

  #answerOf(
    numbers: readonly PullRequestNumber[],
    refused: MergeRefusal | null,
    key: string,
  ): CommandBody {
    const { faults } = this.#context
    const [number = 0] = numbers
    if (refused === null) {
      const landed = numbers.slice(0, faults.landedOf(key, numbers.length))
      return {
        type: 'finishMerge',
        number,
        ...(numbers.length > 1 ? { numbers: landed } : {}),
        refused,
      }
    }
    const left = this.#notMerged(numbers)
    const culprit = left[faults.culpritOf(key, left.length)] ?? number
    return { type: 'finishMerge', number: culprit, refused }
  }

  #schedule(name: string | number, command: () => CommandBody): void {
    const { clock, faults, now } = this.#context
    const at = now() + faults.mergeMs
    clock.schedule({ at, kind: 'merge', name, commands: () => [{ ...command(), at }] })
  }

  /** Somebody may have merged some of them by hand meanwhile; these are not to blame. */
  #notMerged(numbers: readonly PullRequestNumber[]): readonly PullRequestNumber[] {
    return numbers.filter((number) => !this.#context.world.main.holds(number))
  }

  #conflictsWithBranch(number: PullRequestNumber): boolean {
    const { truth, main } = this.#context.world
    return truth.conflictsOf(number).some((other) => main.holds(other))
  }

  /** Each request has draws of its own. */
  #keyOfRequest(number: PullRequestNumber): string {
    const before = this.#requests.get(number) ?? 0
    this.#requests.set(number, before + 1)
    return `${number}#${before}`
  }

  /** A branch that moved at every merge would never let the run end. */
  #refusalOf(number: PullRequestNumber, key: string): MergeRefusal | null {
    const refused = this.#context.faults.refusalOf(key)
    const isOnceMore = (this.#requests.get(number) ?? 0) > mostMoves
    return refused === 'TARGET_BRANCH_MOVED' && isOnceMore ? null : refused
  }
}

function conflicting(number: PullRequestNumber): CommandBody {
  return { type: 'finishMerge', number, refused: 'START_TEST_RUN_MERGE_CONFLICT' }
}
