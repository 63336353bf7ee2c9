/**
 * A toy of a host's CI: each push of a test branch starts one workflow run with these jobs. A test ends
 * them, or lets them end by what is in the tree: a folder `broken` fails the first job.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { refsIn } from '../../git/testing/commits.ts'
import { testBranchPrefix } from '../../identity/ids.ts'
import type { FakeCodeHost } from './fake-code-host.ts'
import {
  nextId,
  type FakeCheck,
  type FakeWorkflowRun,
  type FakeRules,
  type FakeState,
} from './state.ts'

export class ToyCi {
  readonly #fake: FakeCodeHost
  readonly #jobs: readonly string[]
  readonly #started = new Set<string>()
  /** True: runs end at once, by the tree. */
  readonly #isAutomatic: boolean

  /** Every run passes. */
  isBlind = false
  /** The first run of a tree that has this file fails. */
  flakesOnce: string | null = null

  constructor(fake: FakeCodeHost, jobs: readonly string[], isAutomatic = false) {
    this.#fake = fake
    this.#jobs = jobs
    this.#isAutomatic = isAutomatic
    fake.followers.push(() => {
      this.#look().catch((error: unknown) => {
        // A poll may still be under way when the test ends and the folder is gone.
        if (!fake.isClosed) fake.faults.push(String(error))
      })
    })
  }

  /** The runs in progress, oldest first. */
  get going(): readonly FakeWorkflowRun[] {
    return this.#fake.state.workflowRuns.filter(({ status }) => status !== 'completed')
  }

  /** Ends one job of a run; the run ends with its last job. */
  finish({ suite }: FakeWorkflowRun, conclusion: string, job?: string): void {
    const { checks, workflowRuns } = this.#fake.state
    const mine = checks.filter((check) => check.suite === suite)
    for (const check of mine) {
      if (check.status === 'completed' || (job !== undefined && check.name !== job)) continue
      check.status = 'completed'
      check.conclusion = conclusion
    }
    const run = workflowRuns.find((each) => each.suite === suite)
    if (run && mine.every(({ status }) => status === 'completed')) {
      run.status = 'completed'
      const conclusions = mine.map((check) => check.conclusion ?? '')
      const isRed = conclusions.some((each) => !['success', 'skipped'].includes(each))
      const isSkipped = conclusions.every((each) => each === 'skipped')
      run.conclusion = isRed ? 'failure' : isSkipped ? 'skipped' : 'success'
      noteGreen(this.#fake.state)
    }
    this.#fake.hooks.look(this.#fake.state)
  }

  async #look(): Promise<void> {
    const { repository } = this.#fake.state
    const below = `refs/heads/${testBranchPrefix.replace(/[^/]*$/, '')}`
    for (const [ref, sha] of refsIn(repository.path)) {
      if (!ref.startsWith(below)) continue
      if (this.#started.has(ref)) continue
      this.#started.add(ref)
      const run = this.#start(sha, ref.slice('refs/heads/'.length))
      if (!this.#isAutomatic) continue
      const files = await repository.files(sha)
      const isBroken = files.some((path) => path.startsWith('broken/')) || this.#flakes(files)
      this.finish(run, isBroken && !this.isBlind ? 'failure' : 'success')
    }
  }

  #flakes(files: readonly string[]): boolean {
    const isIt = this.flakesOnce !== null && files.includes(this.flakesOnce)
    if (isIt) this.flakesOnce = null
    return isIt
  }

  #start(sha: string, branch: string): FakeWorkflowRun {
    const { state } = this.#fake
    const suite = nextId(state)
    const startedAt = state.now()
    for (const name of this.#jobs) {
      const check: FakeCheck = {
        id: nextId(state),
        suite,
        sha,
        name,
        app: 'github-actions',
        status: 'in_progress',
        conclusion: null,
        startedAt,
      }
      state.checks.push(check)
    }
    const run: FakeWorkflowRun = {
      id: nextId(state),
      suite,
      name: 'ci',
      sha,
      branch,
      status: 'in_progress',
      conclusion: null,
      createdAt: startedAt,
    }
    state.workflowRuns.push(run)
    return run
  }
}

/** Settles with the run in progress, when there is one. */
export async function runInProgress(ci: ToyCi): Promise<FakeWorkflowRun> {
  await expect.poll(() => ci.going).toHaveLength(1)
  const [run] = ci.going
  if (!run) throw new Error('no run is in progress')
  return run
}

// A protected branch: a push of a commit without its required checks is refused, in GitHub's words.

const hook = `while read old new ref; do
  [ "$ref" = refs/heads/main ] || continue
  grep -qx "$new" green && continue
  echo "error: GH006: Protected branch update failed for refs/heads/main." >&2
  echo "error: Required status check \\"ci\\" is expected." >&2
  exit 1
done`

export function protect(state: FakeState, rules: FakeRules): void {
  state.rules = rules
  state.repository.hook('pre-receive', hook)
  noteGreen(state)
}

/** Writes down for the hook which commits have all required checks. */
function noteGreen({ rules, checks, repository }: FakeState): void {
  if (!rules) return
  const shas = [...new Set(checks.map(({ sha }) => sha))]
  const green = shas.filter((sha) =>
    rules.checks.every((name) =>
      checks.some((check) => {
        return check.sha === sha && check.name === name && check.conclusion === 'success'
      }),
    ),
  )
  writeFileSync(join(repository.path, 'green'), green.map((sha) => `${sha}\n`).join(''))
}
