/** Runs `mergeyard sim` for tests. */

import { CliFolder, type Output } from '../../testing/cli-folder.ts'

export class SimFolder extends CliFolder {
  /** Runs the simulator in this folder. */
  sim(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    return this.run(['sim', ...args], env)
  }

  /** Runs the simulator with an interruption before its start. */
  simInterrupted(args: readonly string[]): Promise<Output> {
    return this.run(['sim', ...args], {}, AbortSignal.abort())
  }

  /** Writes a scenario file. Returns its name. */
  scenario(name: string, body: object | string): string {
    const text = typeof body === 'string' ? body : JSON.stringify({ name, ...body })
    this.write(`${name}.json`, text)
    return `${name}.json`
  }
}

/** Runs `mergeyard tune` for tests. */
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
