/** Runs `mergeyard tune` for tests. */

import type { Output } from '../../testing/cli-folder.ts'
import { SimFolder } from '../../sim/testing/sim.ts'

export class TuneFolder extends SimFolder {
  /** More pull requests than one slot can test one by one, so batches must win. */
  readonly flood = this.scenario('flood', {
    description: 'More pull requests than one slot can test one by one.',
    queue: { concurrency: 1 },
    traffic: { count: 40, arrivals: { perHour: 30 }, breakRate: 0.02 },
    suiteFlakes: { perRun: 0.02 },
  })

  tune(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    return this.run(['tune', ...args], env)
  }
}
