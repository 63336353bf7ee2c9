/** One seed of many: what a worker does, and what it sends back. */

import { runTwice } from '../compare-runs.ts'
import { flatFigures, type FlatFigures } from '../result/aggregate.ts'
import { Sightings } from '../marks/index.ts'
import { MeasureBook } from '../run-scenario.ts'
import { simulate } from '../simulate.ts'
import { propertiesOf, scenarioOf, type Source } from './source.ts'
import { failuresOf, judge, type Failure } from './verdict.ts'

export type SeedRun = {
  readonly seed: number
  readonly traceHash: string
  readonly figures: FlatFigures
  /** How often each property was checked. */
  readonly properties: readonly { readonly name: string; readonly checked: number }[]
  readonly failures: readonly Failure[]
  /** The marks that were met in it; those of a file are not looked for. */
  readonly marks: readonly string[]
}

type SeedWish = { readonly source: Source; readonly seed: number; readonly once: boolean }

export function runSeed({ source, seed, once }: SeedWish): SeedRun {
  const scenario = scenarioOf(source, seed)
  const book = new MeasureBook(scenario)
  const sightings = new Sightings()
  const readers = [book.reader, ...(source.kind === 'swarm' ? [sightings.reader] : [])]
  const options = { properties: propertiesOf(source, scenario), readers }
  const { outcome, difference } = once
    ? { outcome: simulate(scenario, options), difference: null }
    : runTwice(scenario, options)
  const { figures, expectations } = book.measure(outcome)
  return {
    seed,
    traceHash: outcome.traceHash,
    figures: flatFigures(figures),
    properties: outcome.properties.map(({ name, checked }) => ({ name, checked })),
    failures: judge(scenario, failuresOf({ outcome, expectations }, difference)),
    marks: sightings.met,
  }
}
