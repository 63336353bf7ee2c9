/** How the runs of a hosted queue are tested: by a command on this machine, or by somebody else. */

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Millis, PullRequestNumber, TestRun, TestRunId } from '../../engine/index.ts'
import { ownerOf } from '../faults/owners.ts'
import { GitFailed, type Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { testBranchOf, testBranchPrefix, testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { CommandRunner } from '../runner/command-runner.ts'
import { endOfLog } from '../runner/run-logs.ts'
import { watchedWords } from '../runner/slot-files.ts'
import type { ReadReports, Verdict } from '../runner/verdict.ts'
import { Backoff, oneAtATime } from './backoff.ts'
import type { RunLog } from './hosting.ts'
import type { CommandTests, HostOptions } from './options.ts'

export type TestableRun = {
  readonly run: TestRun
  /** The commit of the target branch on which everything stands. */
  readonly tip: Oid
  /** The commit of the tip and of everything below the tested pull requests. */
  readonly base: Oid
  readonly commit: Oid
  readonly numbers: readonly PullRequestNumber[]
  /** The commit of each pull request, in order: those below the tested ones, and these. */
  readonly chain: readonly { readonly number: PullRequestNumber; readonly commit: Oid }[]
}

/** The repository takes no branch with what this pull request holds: it leaves, and the others are tested without it. */
export class ContentRefused extends Error {
  override readonly name = 'ContentRefused'
  readonly number: PullRequestNumber

  constructor(number: PullRequestNumber, words: string) {
    super(words)
    this.number = number
  }
}

/** What the queue is told about the branches of test runs. */
export type PlacingPorts = {
  /** The repository takes the branch of no run. True: the queue is paused until it takes one. */
  readonly onRefused: (run: TestRun, words: string) => boolean
  /** It has taken one; `wasRefused`: not at first. */
  readonly onPlaced: (run: TestRun, wasRefused: boolean) => void
}

export type Tester = {
  /** Settles with the verdict; null if the run was cancelled. Rejects with `ContentRefused` or a fault outside. */
  test(run: TestableRun): Promise<Verdict | null>
  cancel(run: TestRunId): void
  /** Removes what an earlier run has left on the repository. */
  tidy(branches: readonly string[], runs: readonly TestRun[]): Promise<void>
  /** The log of a run, as far as it is written; null if there is none. */
  logOf(run: TestRunId): RunLog | null
  /** What is wrong with the place of the tests, in words; absent: nothing can be. */
  faults?(): readonly string[]
  /** Settles when nothing of the runs is left. */
  close(): Promise<void>
}

export type TesterParts = {
  /** The folder of this queue. */
  readonly folder: string
  readonly mirror: Mirror
  readonly queue: ManagedQueue
  readonly now: () => Millis
  /** The last commit of the target branch that the queue knows. */
  readonly tip: () => Oid | null
  /** Reads the JUnit reports that a test command wrote. */
  readonly readReports: ReadReports
  /** What a test command must not see. */
  readonly hidden: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'warn'>
} & PlacingPorts

/** The tests of the host itself come with the host. */
export function testerFor({ tests }: HostOptions, parts: TesterParts): Tester {
  return tests.kind === 'command' ? testerWithCommand(tests, parts) : testerOfOthers(parts)
}

function testerWithCommand({ run: command, ...tests }: CommandTests, parts: TesterParts): Tester {
  const { folder, mirror, queue, tip, readReports, hidden, logger } = parts
  const strays = new Strays(parts)
  const faults: string[] = []
  const { setup, setupWhen: when } = tests
  if (setup !== null) logger.info({ queue: queue.name }, watchedWords({ text: setup, when }))
  const runner = new CommandRunner({
    slots: join(folder, 'slots'),
    logs: join(folder, 'runs'),
    mirror: mirror.folder,
    origin: mirror.url,
    command,
    ...tests,
    readReports,
    hidden,
    onSlotFault: (words) => {
      faults.push(words)
      logger.warn({ queue: queue.name }, words)
    },
  })
  const idOf = (run: TestRunId): string => testRunId(queue.ids, run)
  return {
    test({ run, base, commit, numbers }) {
      const packedRefs = () => mirror.packedRefs(queue.ref.targetBranch, tip() ?? base)
      return runner.test({ id: idOf(run.id), base, commit, numbers, packedRefs })
    },
    cancel: (run) => runner.cancel(idOf(run)),
    // From a start with other tests.
    tidy: (branches) => strays.remove(branches, []),
    logOf: (run) => endOfLog(runner.logOf(idOf(run))),
    faults: () => [...faults, ...strays.faults],
    close: () => runner.close(),
  }
}

export type TestBranches = Tester & {
  /** Settles with true when the branch of a run is there, false if the run was cancelled. */
  readonly place: (run: TestableRun) => Promise<boolean>
}

/**
 * Somebody else tests: the commit is pushed as the branch that the API tells, and they report the verdict.
 * The branch is removed when the run is over. One push after the other, so that a branch whose run is
 * over before it is there is removed too.
 */
export function testerOfOthers(
  parts: Pick<TesterParts, 'mirror' | 'queue' | 'now' | keyof PlacingPorts>,
): TestBranches {
  const { mirror, queue, onRefused, onPlaced } = parts
  const placed = new Map<TestRunId, string>()
  const alone = oneAtATime()
  const strays = new Strays(parts)
  const closing = new AbortController()
  const { signal } = closing

  async function place(testable: TestableRun): Promise<boolean> {
    const { run } = testable
    const ref = refOf(queue, run)
    placed.set(run.id, ref)
    const isWanted = (): boolean => placed.has(run.id) && !signal.aborted
    const backoff = new Backoff()
    for (let tries = 1; ; tries++) {
      const refused = await alone(async () =>
        isWanted() ? refusalOf(mirror, ref, testable) : null,
      )
      if (!isWanted()) return false
      if (refused === null) {
        onPlaced(run, tries > 1)
        return true
      }
      if (!onRefused(run, refused)) throw new GitFailed(`cannot push a test branch: ${refused}`)
      await wait(backoff.next(), undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    place,
    async test(testable) {
      await place(testable)
      return null
    },
    cancel(run) {
      const ref = placed.get(run)
      placed.delete(run)
      // A branch that stays is found by the next poll.
      if (ref !== undefined) alone(() => mirror.remove([ref])).catch(() => undefined)
    },
    tidy: (branches, runs) => alone(() => strays.remove(branches, runs)),
    logOf: () => null,
    faults: () => strays.faults,
    close() {
      closing.abort()
      return alone(() => Promise.resolve())
    },
  }
}

/** Test branches of runs that are over. A repository that keeps them holds up nothing else. Rule: A-257. */
class Strays {
  readonly #parts: Pick<TesterParts, 'mirror' | 'queue' | 'now'>
  readonly #backoff = new Backoff()
  #kept: { readonly words: string; readonly until: Millis } | null = null

  constructor(parts: Pick<TesterParts, 'mirror' | 'queue' | 'now'>) {
    this.#parts = parts
  }

  get faults(): readonly string[] {
    return this.#kept ? [this.#kept.words] : []
  }

  async remove(branches: readonly string[], runs: readonly TestRun[]): Promise<void> {
    const { mirror, queue, now } = this.#parts
    const wanted = new Set(runs.map((run) => refOf(queue, run)))
    const strays = branches.filter((ref) => isTestBranchOf(queue, ref) && !wanted.has(ref))
    if (this.#kept && now() < this.#kept.until) return
    const refused = strays.length > 0 ? await mirror.remove(strays) : null
    if (refused === null) {
      this.#kept = null
      this.#backoff.worked()
      return
    }
    const words = `test branches of runs that are over stay: ${refused}: let the account of the queue remove mergeyard/**`
    this.#kept = { words, until: now() + this.#backoff.next() }
  }
}

/**
 * Why the repository takes the branch of no run; null: it has taken this one. If it takes the target
 * branch under the same name, one of the pull requests is at fault: throws `ContentRefused`.
 */
async function refusalOf(
  mirror: Mirror,
  ref: string,
  { tip, commit, chain }: TestableRun,
): Promise<string | null> {
  const words = await placeOrThrow(mirror, ref, commit)
  if (words === null || ownerOf({ attempt: 'push', words }) === 'repository') return words
  if ((await placeOrThrow(mirror, ref, tip)) !== null) return words
  for (const { number, commit: upToThis } of chain) {
    const refused = await placeOrThrow(mirror, ref, upToThis)
    if (refused !== null) throw new ContentRefused(number, refused)
  }
  // Somebody has mended it meanwhile.
  return null
}

/** Returns why the repository refuses it. Throws `GitFailed` for what it can only not do now. */
async function placeOrThrow(mirror: Mirror, ref: string, commit: Oid): Promise<string | null> {
  const words = await mirror.place(ref, commit)
  if (words === null || ownerOf({ attempt: 'push', words }) !== 'nobody') return words
  throw new GitFailed(`cannot push a test branch: ${words}`)
}

const refOf = ({ ids }: ManagedQueue, { id, tested }: TestRun): string =>
  `refs/heads/${testBranchOf(ids, id, tested)}`

function isTestBranchOf({ ids }: ManagedQueue, ref: string): boolean {
  return (
    ref.startsWith(`refs/heads/${testBranchPrefix}`) &&
    ref.slice(ref.lastIndexOf('/') + 1).startsWith(ids.start)
  )
}
