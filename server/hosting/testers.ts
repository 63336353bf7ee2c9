/** How the runs of a hosted queue are tested: by a command on this machine, or by somebody else. */

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { PullRequestNumber, TestRun, TestRunId } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { CommandRunner } from '../runner/command-runner.ts'
import { watchedWords } from '../runner/setup-inputs.ts'
import { endOfLog } from '../runner/log-file.ts'
import type { ReadReports, Verdict } from '../runner/verdict.ts'
import type { RunLog } from './hosting.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { CommandTests, HostOptions } from './options.ts'

export type TestableRun = {
  readonly run: TestRun
  /** The commit of the tip and of everything below the tested pull requests. */
  readonly base: Oid
  readonly commit: Oid
  readonly numbers: readonly PullRequestNumber[]
}

export type Tester = {
  /** Settles with the verdict; null if the run was cancelled. Rejects with a fault outside. */
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
  /** The last commit of the target branch that the queue knows. */
  readonly tip: () => Oid | null
  /** Reads the JUnit reports that a test command wrote. */
  readonly readReports: ReadReports
  /** What a test command must not see. */
  readonly hidden: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

/** The tests of the host itself come with the host. */
export function testerFor({ tests }: HostOptions, parts: TesterParts): Tester {
  return tests.kind === 'command' ? testerWithCommand(tests, parts) : testerOfOthers(parts)
}

function testerWithCommand(
  { run: command, ...tests }: CommandTests,
  { folder, mirror, queue, tip, readReports, hidden, logger }: TesterParts,
): Tester {
  const faults: string[] = []
  const { setup, setupWhen: when } = tests
  if (setup !== null) logger.info({ queue: queue.name }, watchedWords({ text: setup, when }))
  const runner = new CommandRunner({
    slots: join(folder, 'slots'),
    logs: join(folder, 'runs'),
    mirror: mirror.folder,
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
    tidy: () => Promise.resolve(),
    logOf: (run) => endOfLog(runner.logOf(idOf(run))),
    faults: () => faults,
    close: () => runner.close(),
  }
}

/**
 * Somebody else tests: the commit is pushed as the branch that the API tells, and they report the verdict.
 * The branch is removed when the run is over. One push after the other, so that a branch whose run is
 * over before it is there is removed too.
 */
export function testerOfOthers({ mirror, queue }: Pick<TesterParts, 'mirror' | 'queue'>): Tester {
  const placed = new Map<TestRunId, string>()
  const alone = oneAtATime()
  return {
    async test({ run, commit }) {
      const ref = testBranchOf(queue, run)
      placed.set(run.id, ref)
      await alone(() => mirror.place(ref, commit))
      return null
    },
    cancel(run) {
      const ref = placed.get(run)
      placed.delete(run)
      // A branch that stays is found by the next look.
      if (ref !== undefined) alone(() => mirror.remove([ref])).catch(() => undefined)
    },
    async tidy(branches, runs) {
      const wanted = new Set(runs.map((run) => testBranchOf(queue, run)))
      const strays = branches.filter((ref) => isTestBranchOf(queue, ref) && !wanted.has(ref))
      if (strays.length > 0) await alone(() => mirror.remove(strays))
    },
    logOf: () => null,
    close: () => alone(() => Promise.resolve()),
  }
}

/** Below this prefix are the branches of test runs. */
export const testBranchPrefix = 'refs/heads/mergeyard/pr-'

export function testBranchOf({ ids }: ManagedQueue, { id, tested }: TestRun): string {
  return `${testBranchPrefix}${tested[0] ?? 0}/${testRunId(ids, id)}`
}

function isTestBranchOf({ ids }: ManagedQueue, ref: string): boolean {
  return (
    ref.startsWith(testBranchPrefix) && ref.slice(ref.lastIndexOf('/') + 1).startsWith(ids.start)
  )
}
