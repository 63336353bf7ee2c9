/** How the runs of a hosted queue are tested: by a command on this machine, or by somebody else. */

import { join } from 'node:path'
import type { PullRequestNumber, TestRun, TestRunId } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { CommandRunner } from '../runner/command-runner.ts'
import { endOfLog } from '../runner/log-file.ts'
import type { ReadReports, Verdict } from '../runner/verdict.ts'
import type { RunLog } from './hosting.ts'
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
  /** The log of a run, as far as it is written; null if there is none. */
  logOf(run: TestRunId): RunLog | null
  /** Settles when nothing of the runs is left. */
  close(): Promise<void>
}

export type TesterParts = {
  /** The folder of this queue. */
  readonly folder: string
  readonly mirror: Mirror
  readonly queue: ManagedQueue
  /** Reads the JUnit reports that a test command wrote. */
  readonly readReports: ReadReports
}

export function testerFor({ tests }: HostOptions, parts: TesterParts): Tester {
  return tests.kind === 'command' ? testerWithCommand(tests, parts) : testerOfOthers(parts)
}

function testerWithCommand(
  { run: command, ...tests }: CommandTests,
  { folder, mirror, queue, readReports }: TesterParts,
): Tester {
  const runner = new CommandRunner({
    slots: join(folder, 'slots'),
    logs: join(folder, 'runs'),
    mirror: mirror.folder,
    command,
    ...tests,
    readReports,
  })
  const idOf = (run: TestRunId): string => testRunId(queue.ids, run)
  return {
    test: ({ run, base, commit, numbers }) =>
      runner.test({ id: idOf(run.id), base, commit, numbers }),
    cancel: (run) => runner.cancel(idOf(run)),
    logOf: (run) => endOfLog(runner.logOf(idOf(run))),
    close: () => runner.close(),
  }
}

/**
 * Somebody else tests: the commit is pushed as the branch that the API tells, and they report the verdict.
 * The branch is removed when the run is over.
 */
function testerOfOthers({ mirror, queue }: TesterParts): Tester {
  const placed = new Map<TestRunId, string>()
  const remove = async (run: TestRunId): Promise<void> => {
    const ref = placed.get(run)
    if (ref === undefined) return
    placed.delete(run)
    await mirror.remove([ref])
  }
  return {
    async test({ run, commit }) {
      const ref = testBranchOf(queue, run)
      placed.set(run.id, ref)
      await mirror.place(ref, commit)
      return null
    },
    // A branch that stays costs nothing but a name; the next start removes it.
    cancel: (run) => void remove(run).catch(() => undefined),
    logOf: () => null,
    close: () => Promise.resolve(),
  }
}

/** Below this prefix are the branches of test runs. */
export const testBranchPrefix = 'refs/heads/mergeyard/pr-'

function testBranchOf({ ids }: ManagedQueue, { id, tested }: TestRun): string {
  return `${testBranchPrefix}${tested[0] ?? 0}/${testRunId(ids, id)}`
}
