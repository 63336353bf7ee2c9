/** Writes the findings of a soak to `reports/failures/`, shrunk if possible. */

import { PassThrough } from 'node:stream'
import { breakageOf, firstFailure } from '../../../sim/shrink/breakage.ts'
import { regressionOf } from '../../../sim/shrink/regression.ts'
import type { Failure } from '../../../sim/judge/verdict.ts'
import type { FailedScenario, SoakRun } from '../../../sim/soak/soak-seed.ts'
import type { CliContext } from '../../../sim/terminal/context.ts'
import { shrinkWithProgress, shrunkSummary, writeFailure } from '../sim/shrinking/shrink-failure.ts'

/** Shrinking takes long, and further findings of one soak rarely show another fault. */
const shrunkAtMost = 20

/**
 * Shrinks and writes the first finding of each kind of failure, one after another, while the soak
 * runs.
 */
export class FindingFiles {
  readonly #context: Pick<CliContext, 'env'>
  readonly #seen = new Set<string>()
  readonly #texts: string[] = []
  #work: Promise<void> = Promise.resolve()

  constructor(context: Pick<CliContext, 'env'>) {
    this.#context = context
  }

  add({ seed, failed }: SoakRun): void {
    const failure = failed ? firstFailure(failed.failures) : undefined
    if (!failed || !failure) return
    const breakage = JSON.stringify(breakageOf(failure))
    if (this.#seen.has(breakage) || this.#seen.size >= shrunkAtMost) return
    this.#seen.add(breakage)
    this.#work = this.#writeAfter(this.#work, failed, failure, seed)
    // `finished` throws the error.
    this.#work.catch(() => undefined)
  }

  async #writeAfter(
    before: Promise<void>,
    failed: FailedScenario,
    failure: Failure,
    seed: number,
  ): Promise<void> {
    await before
    const shrunk = await shrinkWithProgress(failed.scenario, failure, quiet)
    const smallest = shrunk ?? { ...failed, failure, tries: 0, isSmallest: false }
    const file = writeFailure(regressionOf(smallest, seed), this.#context)
    const lines = shrunk ? shrunkSummary(shrunk, file) : `run it with    npm run sim -- ${file}\n`
    this.#texts.push(`\nseed ${seed}\n${lines}`)
  }

  /** Returns the shrunk findings as text, with their commands. Throws if a file cannot be written. */
  async finished(): Promise<string> {
    await this.#work
    return this.#texts.join('')
  }
}

/** No second progress bar, and no interrupt: an interrupted soak still writes its findings. */
const quiet = { stderr: new PassThrough().resume(), signal: new AbortController().signal }
