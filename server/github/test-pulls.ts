/**
 * Pull requests for test branches, for workflows that only run for pull requests: drafts that nobody is to
 * merge. GitHub closes one when its branch is removed.
 */

import type { TestRun } from '../../engine/index.ts'
import type { ForgeParts } from '../hosting/forge.ts'
import type { GitHubClient } from './client.ts'
import { GitHubFailed } from './failed.ts'

export class TestPulls {
  readonly #client: GitHubClient
  readonly #parts: ForgeParts

  constructor(client: GitHubClient, parts: ForgeParts) {
    this.#client = client
    this.#parts = parts
  }

  /** Opens one, if the queue is set so. There may be one already, from before a restart. */
  async open({ tested }: TestRun, branch: string): Promise<void> {
    const { queue, logger } = this.#parts
    if (!queue.engine.queue.configuration.createPrsForTestingBranches) return
    const octokit = await this.#client.octokit()
    const numbers = tested.map((number) => `#${number}`).join(', ')
    try {
      await octokit.request('POST /repos/{owner}/{repo}/pulls', {
        ...this.#client.at,
        title: `Test of ${numbers} by the merge queue`,
        body: `The merge queue tests ${numbers} with this branch. Do not merge it: it is closed when the test is over.`,
        head: branch,
        base: queue.ref.targetBranch,
        draft: true,
      })
    } catch (error) {
      // Without it the workflows that run on a push still test the branch.
      if (!(error instanceof GitHubFailed) || error.status === 0) throw error
      if (error.status !== 422) logger.warn({ err: error }, 'a test branch got no pull request')
    }
  }
}
