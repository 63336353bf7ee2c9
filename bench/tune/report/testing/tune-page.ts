/** The page and the document of a real tune run, for tests. */

import { SimFolder } from '../../../cli/sim/testing/sim.ts'

type TuneOutput = { readonly page: string; readonly json: string }

export class TunePages extends SimFolder {
  readonly #made = new Map<string, Promise<TuneOutput>>()

  /** Of one command line there is one run, because tests only read what it has written. */
  tune(args: readonly string[]): Promise<TuneOutput> {
    const key = args.join(' ')
    const made = this.#made.get(key) ?? this.#run(args, `run-${this.#made.size}`)
    this.#made.set(key, made)
    return made
  }

  async #run(args: readonly string[], folder: string): Promise<TuneOutput> {
    const { code } = await this.run(['tune', ...args, '--report', folder])
    if (code !== 0) throw new Error(`tune ended with ${code}`)
    return { page: this.read(`${folder}/tune.html`), json: this.read(`${folder}/tune.json`) }
  }
}
