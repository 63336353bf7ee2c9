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
