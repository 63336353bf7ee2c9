/**
 * The test runs of one hosted queue: each is composed, tested and answered. Jobs are not stored: after a
 * restart every run that is still wanted gets a new job, and the same commit.
 */

import type { EngineCommand, TestRun, TestRunId } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Verdict } from '../runner/verdict.ts'
import { composeRun } from './composing.ts'
import { onBranch, tipOf, type HostedParts } from './hosted-parts.ts'
import { isToBeginAnew } from './test-limit.ts'
import { ContentRefused, type Tester } from './testers.ts'

type JobPorts = {
  readonly parts: HostedParts
  readonly tester: Tester
  /** A fault outside: the job is over, and begins again after a while. */
  readonly onFault: (error: unknown) => void
}

type Job = { commit: Oid | null; isCancelled: boolean }

/** As a function, because it changes while others are awaited. */
const isCancelled = (job: Job): boolean => job.isCancelled

export class RunJobs {
  readonly #ports: JobPorts
  readonly #jobs = new Map<TestRunId, Job>()

  constructor(ports: JobPorts) {
    this.#ports = ports
  }

  /** Starts a job for each wanted run that has none, and cancels the jobs of all others. */
  reconcile(wanted: readonly TestRun[]): void {
    const ids = new Set(wanted.map(({ id }) => id))
    for (const [id, job] of this.#jobs) {
      if (ids.has(id)) continue
      job.isCancelled = true
      this.#jobs.delete(id)
      this.#ports.tester.cancel(id)
    }
    for (const run of wanted) {
      if (this.#jobs.has(run.id)) continue
      const job: Job = { commit: null, isCancelled: false }
      this.#jobs.set(run.id, job)
      void this.#work(run, job)
    }
  }

  /** Nothing is begun or told any more. What is there for a run stays: another server may go on with it. */
  close(): void {
    for (const job of this.#jobs.values()) job.isCancelled = true
  }

  /** The commit of a run in progress; null if it is not made yet. */
  commitOf(run: TestRunId): Oid | null {
    return this.#jobs.get(run)?.commit ?? null
  }

  /** An answered job stays until its run is gone from the durable state, so nothing runs twice. */
  async #work(run: TestRun, job: Job): Promise<void> {
    const { parts, tester } = this.#ports
    try {
      const { tip, base, made } = await composeRun(parts, run)
      if (isCancelled(job)) return
      if ('conflict' in made) {
        const { conflict: number, with: conflictsWith, words } = made
        const about = { testRun: run.id, number, conflictsWith, words }
        await this.#answer({ type: 'reportUnbuildable', ...about })
        return
      }
      // Further behind it may still land: what is below it can bring something else.
      const isFirst = run.base.length === 0 && made.onBranch === run.tested[0]
      if (isFirst) {
        onBranch(parts, made.onBranch, tipOf(parts) ?? tip)
        // It leaves as the next to merge, so the run goes on for the others that it tests.
        if (run.tested.length === 1) return
      }
      const commit = made.commits.at(-1)
      if (commit === undefined) return
      job.commit = commit
      const chain = [...run.base, ...run.tested].map((number, index) => {
        return { number, commit: made.commits[index] ?? commit }
      })
      const verdict = await tester.test({ run, tip, base, commit, numbers: run.tested, chain })
      if (verdict !== null && !isCancelled(job)) await this.#tell(run, commit, verdict)
    } catch (error) {
      if (!isCancelled(job)) await this.#failed(run, error)
    }
  }

  #tell(
    { id: testRun }: TestRun,
    commit: Oid,
    { outcome, failedTests, flakyTests, url }: Verdict,
  ): Promise<unknown> {
    const names = failedTests.length > 0 ? { failedTests } : {}
    const flaky = flakyTests.length > 0 ? { flakyTests } : {}
    const more = { ...names, ...flaky, ...(url === undefined ? {} : { url }) }
    return this.#answer({ type: 'finishTestRun', testRun, outcome, ...more, commit })
  }

  async #failed(run: TestRun, error: unknown): Promise<void> {
    const { parts, onFault } = this.#ports
    const { id: testRun, tested } = run
    if (error instanceof ContentRefused) {
      const { number, message: words } = error
      parts.logger.warn({ queue: parts.queue.name, number, words }, 'its test branch is refused')
      const about = { testRun, number, conflictsWith: 'tip', words } as const
      const asked = this.#answer({ type: 'reportUnbuildable', ...about })
      await asked.catch((fault: unknown) => this.#failed(run, fault))
      return
    }
    this.#jobs.delete(testRun)
    onFault(error)
    const [number] = tested
    if (number === undefined || !isToBeginAnew(run, parts.now())) return
    parts.send({ type: 'restartTests', number })
  }

  /** A run that is over meanwhile needs no answer. Rejects if it is not known whether this one arrived. */
  #answer(command: EngineCommand): Promise<unknown> {
    const { parts } = this.#ports
    return new Promise((resolve, reject) => {
      parts.hold(command, () => void parts.ask(command).then(resolve, reject))
    })
  }
}
