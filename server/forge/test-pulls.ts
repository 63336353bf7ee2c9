/**
 * Pull requests for test branches, for workflows that only run for pull requests: drafts that nobody is to
 * merge. The host closes one when its branch is removed.
 */

import type { TestRun } from '../../engine/index.ts'
import type { ForgeParts } from '../hosting/forge.ts'
import type { ForgeApi } from './api.ts'
import { ForgeFailed } from './failed.ts'

export class TestPulls {
  readonly #api: ForgeApi
  readonly #parts: ForgeParts

  constructor(api: ForgeApi, parts: ForgeParts) {
    this.#api = api
    this.#parts = parts
  }

  /** Opens one, if the queue is set so. There may be one already, from before a restart. */
  async open({ tested }: TestRun, branch: string): Promise<void> {
    const { queue, logger } = this.#parts
    if (!queue.engine.queue.configuration.createPrsForTestingBranches) return
    // Without a `#`: a host would make an event on each of them.
    const what =
      tested.length > 0
        ? `pull request ${tested.join(', ')}`
        : `${queue.ref.targetBranch} without any pull request`
    try {
      await this.#api.openTestPull({
        title: `Test of ${what} by the merge queue`,
        body: `The merge queue tests ${what} with this branch. Do not merge it: it is closed when the test is over.`,
        branch,
        base: queue.ref.targetBranch,
      })
    } catch (error) {
      // Without it the workflows that run on a push still test the branch.
      if (!(error instanceof ForgeFailed) || error.status === 0) throw error
      logger.warn({ err: error }, 'a test branch got no pull request')
    }
  }
}
