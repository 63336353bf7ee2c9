/** The page and the document of a real tune run, for tests. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { main } from '../../../cli/tune.ts'
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
    const { signal } = new AbortController()
    const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()]
    const code = await main([...args, '--report', folder], {
      ...{ stdout, stderr, signal },
      env: { INIT_CWD: this.path },
    })
    if (code !== 0) throw new Error(`tune ended with ${code}`)
    const read = (name: string): string => readFileSync(join(this.path, folder, name), 'utf8')
    return { page: read('tune.html'), json: read('tune.json') }
  }
}
