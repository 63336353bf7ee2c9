/** The checks that every run makes about itself, with or without properties (S-41, S-44). */

import { Findings, type JudgedShare, type PropertyResult } from './findings.ts'

export class BuiltInChecks {
  readonly engine = new Findings('engine-does-not-throw')
  readonly progress = new Findings('keeps-moving')
  readonly rebuild = new Findings('rebuilds-alike')
  readonly #all = [this.engine, this.progress, this.rebuild] as const

  get results(): PropertyResult[] {
    return this.#all.map(({ result }) => result)
  }

  /** A rebuilt engine is compared once for each crash: the events of other commands do not count. */
  judgedOf(events: number): JudgedShare[] {
    return this.#all.map((findings) => {
      const { checked } = findings.result
      return findings.judgedIn(findings === this.rebuild ? Math.min(checked, events) : events)
    })
  }
}
