/**
 * The host's own CI tests: a run is a branch, and its checks are the verdict. Nothing is stored: after a
 * restart the same commit is placed again, which changes nothing, and its checks are read.
 */

import type { TestRun, TestRunId } from '../../engine/index.ts'
import type { CodeHostParts } from '../hosting/code-host.ts'
import {
  testerOfOthers,
  type TestableRun,
  type TestBranches,
  type Tester,
} from '../hosting/testers.ts'
import { testBranchOf } from '../identity/ids.ts'
import { firstFew } from '../terminal/text.ts'
import type { Verdict } from '../runner/verdict.ts'
import type { CodeHostApi } from './api.ts'
import { onHostClock } from './host-clock.ts'
import { CodeHostFailed } from './rest.ts'
import { absentOf, hasBegun, verdictOf, type RequiredCheck } from './verdict.ts'

type Going = TestableRun & {
  readonly branch: string
  /** Since when the branch was on the host for certain: placing it can take long, on a slow host or after a pause. */
  readonly placedAt: number
  readonly settle: (verdict: Verdict | null) => void
  /** Since when all that was there was over, and a required check was not there; null: that is not so. */
  absentSince: number | null
}

type Ports = CodeHostParts & {
  readonly api: CodeHostApi
  /** The names of the checks that must pass; empty if nothing says so. */
  readonly required: () => readonly RequiredCheck[]
  /** The checks of this commit are due. */
  readonly onEarly: (commit: string) => void
  readonly noCiMs: number
  /** True: a run in which every check was skipped has passed. */
  readonly isSkippedEnough: boolean
}

/** CI outside of the host shows its first check within so long after the push, if it is well. */
const firstChecksMs = 60_000

/** Instants of a host can be whole seconds, and its clock is known to the second. */
const clockSlackMs = 2_000

export class CiTester implements Tester {
  readonly #ports: Ports
  readonly #others: TestBranches
  readonly #going = new Map<TestRunId, Going>()
  /** Commits that a webhook was about before their run was noted here: CI can be quicker than we are. */
  #early = new Set<string>()
  readonly #bornAt: number
  /** Those from before the last poll of everything. */
  #earlier = new Set<string>()

  constructor(ports: Ports) {
    this.#ports = ports
    this.#bornAt = ports.now()
    this.#others = testerOfOthers(ports)
  }

  async test(testable: TestableRun): Promise<Verdict | null> {
    const { run } = testable
    const branch = testBranchOf(this.#ports.queue.ids, run.id, run.tested)
    if (!(await this.#others.place(testable))) return null
    const isOver = (): boolean => this.#ports.queue.engine.queue.testRuns[run.id] === undefined
    if (!isOver()) await openTestPull(this.#ports, run, branch)
    if (isOver()) return null
    return new Promise((settle) => {
      const placedAt = this.#ports.now()
      this.#going.set(run.id, { ...testable, branch, placedAt, settle, absentSince: null })
      const { commit } = testable
      // A run from before a restart may be over long since.
      const isOld = run.startedAt < this.#bornAt
      if (isOld || this.#early.has(commit) || this.#earlier.has(commit)) this.#ports.onEarly(commit)
    })
  }

  /** Reads the checks of the runs in progress; with commits, only those of them. */
  async poll(commits: ReadonlySet<string> | null): Promise<void> {
    const all = [...this.#going.values()]
    if (commits === null) [this.#early, this.#earlier] = [new Set(), this.#early]
    for (const commit of commits ?? []) {
      if (!all.some((going) => going.commit === commit)) this.#early.add(commit)
    }
    for (const going of all) {
      if (commits?.has(going.commit) === false) continue
      const verdict = await this.#judge(going)
      if (verdict === null || !this.#going.delete(going.run.id)) continue
      going.settle(verdict)
      if (verdict.outcome !== 'passed') this.#stop(going)
    }
  }

  async #judge(going: Going): Promise<Verdict | null> {
    const { run, commit, branch, placedAt } = going
    const { api, required, now, noCiMs, onNoVerdict, isSkippedEnough } = this.#ports
    const seen = await api.checks(commit, branch)
    const since = onHostClock(run.startedAt, this.#ports) - clockSlackMs
    const isLate = api.hasPipelines || now() - placedAt >= firstChecksMs
    const judging = { since, isSkippedEnough, isLate }
    const verdict = verdictOf(seen, required(), judging)
    if (verdict !== null) return verdict
    const isBegun = hasBegun(seen, since)
    const isNoneRequired = required().length === 0
    const found = isBegun ? absentOf(seen, required(), since) : null
    going.absentSince = found === null ? null : (going.absentSince ?? now())
    const waitsSince = isBegun && !isNoneRequired ? going.absentSince : placedAt
    if (waitsSince === null || now() - waitsSince < noCiMs) return null
    if (found) onNoVerdict(run, absentOn(branch, found))
    else if (isNoneRequired) onNoVerdict(run, noneRequired)
    else onNoVerdict(run, seen.checks.length > 0 ? onlyEarlierOn(branch) : noCiOn(branch))
    return null
  }

  cancel(run: TestRunId): void {
    const going = this.#going.get(run)
    this.#going.delete(run)
    if (going) {
      going.settle(null)
      this.#stop(going)
    }
    this.#others.cancel(run)
  }

  /** Ends CI whose verdict nobody waits for. Best effort: they only cost machine time. */
  #stop({ commit, branch }: Going): void {
    const { api, logger } = this.#ports
    api.stopCi(commit, branch).catch((error: unknown) => {
      logger.warn({ err: error, branch }, 'the CI of a test branch could not be cancelled')
    })
  }

  tidy(...args: Parameters<Tester['tidy']>): Promise<void> {
    return this.#others.tidy(...args)
  }

  faults(): readonly string[] {
    return this.#others.faults?.() ?? []
  }

  /** The log is on the host; the address of the run is with its verdict. */
  logOf(): null {
    return null
  }

  async close(): Promise<void> {
    for (const { settle } of this.#going.values()) settle(null)
    this.#going.clear()
    await this.#others.close()
  }
}

const noneRequired =
  'no check is required, so no test run can pass: set requiredStatuses, or protect the branch'

function noCiOn(branch: string): string {
  return `no CI has begun on ${branch}: let it run on a push to mergeyard/**`
}

function onlyEarlierOn(branch: string): string {
  return (
    `no CI has begun on ${branch}, whose checks are of an earlier run on the same commit: let it run on each push ` +
    'to mergeyard/**, also of a commit that it knows'
  )
}

function absentOn(
  branch: string,
  { absent, there }: { readonly absent: readonly string[]; readonly there: readonly string[] },
): string {
  const [is, it] = absent.length === 1 ? ['check', 'it'] : ['checks', 'they']
  return (
    `the required ${is} ${absent.join(', ')} did not appear on ${branch}, whose CI is over; ${there.join(', ')} did: ` +
    `set requiredStatuses, or the rules of the branch, to names that the CI has, or let ${it} run on a push to mergeyard/**`
  )
}

/**
 * Opens a pull request for a test branch, if the queue is set so, for workflows that only run for pull requests: a
 * draft that nobody is to merge. There may be one already, from before a restart. The host closes it when its branch
 * is removed.
 */
async function openTestPull(
  { api, queue, logger }: Pick<Ports, 'api' | 'queue' | 'logger'>,
  { tested }: TestRun,
  branch: string,
): Promise<void> {
  const { targetBranch } = queue.ref
  if (!queue.engine.queue.configuration.createPrsForTestingBranches) return
  // Without a `#`: a host would make an event on each of them.
  const what =
    tested.length > 0
      ? `pull request ${firstFew(tested)}`
      : `${targetBranch} without any pull request`
  try {
    await api.openTestPull({
      title: `Test of ${what} by the merge queue`,
      body: `The merge queue tests ${what} with this branch. Do not merge it: it is closed when the test is over.`,
      branch,
      base: targetBranch,
    })
  } catch (error) {
    // Without it the workflows that run on a push still test the branch.
    if (!(error instanceof CodeHostFailed) || error.status === 0) throw error
    logger.warn({ err: error }, 'a test branch got no pull request')
  }
}
