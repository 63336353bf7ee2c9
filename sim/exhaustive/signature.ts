/**
 * The signature of a state: two states with the same one go on alike. It does not know the numbers of
 * pull requests, runs and groups, what has left without a trace, or how much time has passed. Rule: S-342.
 */

import type {
  BisectionView,
  GroupView,
  PullRequestView,
  QueueView,
  TestRun,
} from '../../engine/index.ts'
import { shortDigest } from '../random/digest.ts'

/** What the branch holds and how the signature calls everybody. */
export type AroundIt = {
  /** The submissions on the branch, in order; a push has 0. */
  readonly branch: readonly number[]
  /** The submissions in each composition that was tested. */
  readonly contents: ReadonlyMap<TestRun['composition'], readonly number[]>
  /** The name of a pull request; null if it has left without a trace. */
  readonly nameOf: (number: number) => string | null
  readonly numberOf: (submission: number) => number
}

/** Returns a short text; `truth` is what the queue does not know. */
export function signatureOf(queue: QueueView, around: AroundIt, truth: string): string {
  const writer = new Writer(queue, around)
  return shortDigest(writer.text(truth))
}

class Writer {
  readonly #queue: QueueView
  readonly #around: AroundIt
  readonly #lowestTip: number

  constructor(queue: QueueView, around: AroundIt) {
    this.#queue = queue
    this.#around = around
    this.#lowestTip = lowestTipIn(queue)
  }

  text(truth: string): string {
    const { slots, judged, flakyTests, quarantine, tipRetry } = this.#queue
    const { line, groups, bisections, testRuns } = this.#queue
    const parts = [
      truth,
      Object.values(slots),
      Object.values(judged),
      [Object.keys(flakyTests), Object.keys(quarantine?.tests ?? {})],
      this.#soundness(),
      tipRetry && [this.#run(tipRetry.of), tipRetry.attempt],
      this.#verdicts(),
      this.#pullRequests(),
      line.map((id) => this.#group(groups[id])),
      bisections.map((each) => this.#bisection(each)),
      Object.values(testRuns)
        .map((run) => JSON.stringify(this.#run(run)))
        .toSorted(),
    ]
    return JSON.stringify(parts).replaceAll(
      /pull request (\d+) breaks/g,
      (_, number) => `${this.#around.nameOf(Number(number))} breaks`,
    )
  }

  /** How many commits have come since. */
  readonly #below = (tip: number): number => this.#queue.tip.number - tip

  readonly #names = (numbers: readonly number[]): string =>
    numbers.map((number) => this.#around.nameOf(number) ?? 'gone').join()

  #placeOf(group: number | undefined): number {
    return this.#queue.line.findIndex((each) => each === group)
  }

  #searchOf(bisection: number | null): number {
    return this.#queue.bisections.findIndex(({ id }) => id === bisection)
  }

  #run(run: TestRun | BisectionView['provenIn']): unknown {
    if (run === null) return null
    const { owner, tip, base, tested, screening, attempt, quarantined } = run
    const main = owner.kind === 'main' ? this.#placeOf(owner.group) : null
    const search = owner.kind === 'bisection' ? this.#searchOf(owner.bisection) : null
    const contents = [this.#below(tip), this.#names(base), this.#names(tested)]
    return [main, search, contents, screening, attempt, quarantined]
  }

  #group(group: GroupView | undefined): unknown {
    if (!group) return null
    const { members, urgent, partOf, provenBy, screened, overtaken } = group
    const origin = partOf === undefined ? null : this.#placeOf(partOf)
    const marks = [urgent, origin, this.#searchOf(provenBy), screened, overtaken]
    return [this.#names(members), marks, this.#phase(group)]
  }

  #phase({ phase }: GroupView): unknown {
    const { kind } = phase
    switch (kind) {
      case 'waiting':
        return [kind, phase.retry && [this.#run(phase.retry.of), phase.retry.attempt]]
      case 'testing':
        return [kind, this.#run(phase.run)]
      case 'passed':
        return [kind, this.#run(phase.run), phase.merging, phase.begun, phase.pushedTo]
      case 'failed': {
        const { run, reason, failedTests, heldUntil, aside } = phase
        return [kind, this.#run(run), reason, failedTests, heldUntil !== null, aside]
      }
      case 'conflicted':
        return [kind, this.#around.nameOf(phase.with)]
    }
  }

  #bisection(bisection: BisectionView): unknown {
    const { size, tip, isTipMoved, runsSpent, convicted, departed } = bisection
    const { handedOver, proven, provenIn, open, verdicts, retries } = bisection
    return [
      [size, this.#below(tip), isTipMoved, runsSpent, convicted, departed],
      [handedOver, proven, open].map(this.#names),
      this.#run(provenIn),
      retries.map(({ of, attempt }) => [this.#run(of), attempt]),
      Object.values(verdicts).map((verdict) => [this.#run(verdict.run), { ...verdict, run: null }]),
    ]
  }

  #pullRequests(): unknown {
    const known = Object.values(this.#queue.pullRequests)
      .filter(({ number }) => this.#around.nameOf(number) !== null)
      .toSorted((one, other) => (one.turn ?? one.submission) - (other.turn ?? other.submission))
    return known.map((each) => this.#pullRequest(each))
  }

  #pullRequest(pullRequest: PullRequestView): unknown {
    const { number, state, home, priority, noBatch, flakeReturns } = pullRequest
    const { verifiedBy, leavingFor, dependsOn = [], pendingSince } = pullRequest
    const conflicts = this.#queue.hostFacts[number]?.conflictsWith ?? []
    const place =
      home.in === 'group'
        ? this.#placeOf(home.group)
        : home.in === 'bisection' && this.#searchOf(home.bisection)
    return [
      ...[this.#around.nameOf(number), state, home.in, place, priority, noBatch, flakeReturns],
      ...[verifiedBy !== null, leavingFor, this.#names(dependsOn)],
      ...[this.#names(conflicts), pendingSince === this.#queue.now],
    ]
  }

  /** Those that can come again one by one; of the others only how many there are. */
  #verdicts(): unknown {
    const kept: string[] = []
    for (const { composition, outcome, contradicted, failedTests } of this.#queue.verdicts) {
      const contents = this.#contents(composition)
      const tests = contents === null ? [] : failedTests
      kept.push(JSON.stringify([contents, outcome, contradicted, tests]))
    }
    return kept.toSorted()
  }

  /** A composition seen from the tip; null if no run can have it again. */
  #contents(composition: TestRun['composition']): string | null {
    const { branch, contents, numberOf, nameOf } = this.#around
    const submissions = contents.get(composition)
    if (!submissions) return null
    const differsAt = submissions.findIndex((each, at) => each !== branch[at])
    const common = differsAt === -1 ? submissions.length : differsAt
    const above = submissions.slice(common).map((each) => nameOf(numberOf(each)))
    if (common < this.#lowestTip || above.includes(null)) return null
    return `${branch.length - common} ${above.join()}`
  }

  /** Whether the branch is known to pass, from where on. */
  #soundness(): unknown {
    const { tipTest, pushedAt = 0 } = this.#queue
    if (!tipTest) return null
    const { tip, failure, soundFrom = tip, leansOn } = tipTest
    if (failure !== null) return [this.#below(tip), failure.times]
    if (tip < pushedAt) return false
    return [soundFrom <= this.#lowestTip || this.#below(soundFrom), leansOn]
  }
}

/** The lowest tip on which a run stands, or can stand from now on. */
function lowestTipIn({ tip, bisections, testRuns, groups }: QueueView): number {
  const held = Object.values(groups).flatMap(({ phase }) =>
    'run' in phase && phase.run ? [phase.run.tip] : [],
  )
  return Math.min(
    tip.number,
    ...bisections.map((each) => each.tip),
    ...Object.values(testRuns).map((each) => each.tip),
    ...held,
  )
}
