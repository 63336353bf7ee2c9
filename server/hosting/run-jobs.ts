/**
 * The test runs of one hosted queue: each is composed, tested and answered. Jobs are not stored: after a
 * restart every run that is still wanted gets a new job, and the same commit.
 */

import type { PullRequestNumber, TestRun, TestRunId } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Verdict } from '../runner/verdict.ts'
import type { Composed } from '../git/compose.ts'
import { ContentRefused, type Tester } from './testers.ts'

export type JobPorts = {
  readonly compose: (
    run: TestRun,
  ) => Promise<{ readonly tip: Oid; readonly base: Oid; readonly made: Composed }>
  readonly tester: Tester
  /** Settles when the queue has heard it. */
  readonly onVerdict: (run: TestRun, commit: Oid, verdict: Verdict) => Promise<unknown>
  readonly onUnbuildable: (
    run: TestRun,
    made: Extract<Composed, { conflict: unknown }>,
  ) => Promise<unknown>
  /** The repository takes no branch with what one of the pull requests holds. Settles when the queue has heard it. */
  readonly onRefused: (run: TestRun, refused: ContentRefused) => Promise<unknown>
  /** The change of a pull request is on the target branch already: there is nothing to test. */
  readonly onBranch: (number: PullRequestNumber) => void
  /** A fault outside: the job is over, and begins again after a while. */
  readonly onFault: (error: unknown, run: TestRun) => void
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

  /** Removes what runs that are over have left among these branches. */
  async tidy(branches: readonly string[], wanted: readonly TestRun[]): Promise<void> {
    await this.#ports.tester.tidy(branches, wanted)
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
    const { compose, tester, onVerdict, onUnbuildable, onBranch } = this.#ports
    try {
      const { tip, base, made } = await compose(run)
      if (isCancelled(job)) return
      if ('conflict' in made) {
        await onUnbuildable(run, made)
        return
      }
      const { onBranch: there } = made
      // Further behind it may still land: what is below it can bring something else.
      const isFirst = run.base.length === 0 && there === run.tested[0]
      if (there !== null && isFirst) {
        onBranch(there)
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
      if (verdict !== null && !isCancelled(job)) await onVerdict(run, commit, verdict)
    } catch (error) {
      if (!isCancelled(job)) await this.#failed(run, error)
    }
  }

  async #failed(run: TestRun, error: unknown): Promise<void> {
    const { onRefused, onFault } = this.#ports
    if (error instanceof ContentRefused) {
      await onRefused(run, error).catch((fault: unknown) => this.#failed(run, fault))
      return
    }
    this.#jobs.delete(run.id)
    onFault(error, run)
  }
}
