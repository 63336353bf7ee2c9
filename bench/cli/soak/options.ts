/** The options of `mergeyard soak`. */

import { randomInt } from 'node:crypto'
import { firstSeedOf, type SeedRange } from '../../../sim/random/seeds.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import { badUsage, type ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { overTable } from '../../over/spread-over.ts'
import { seedsOf, type CampaignSeeds } from '../sim/options/seed-options.ts'

const table = {
  for: { kind: 'value', value: '10m', help: 'stop after this time, instead of at Ctrl-C' },
  seed: { kind: 'value', value: 'n', help: 'run only this seed of a finding' },
  seeds: { kind: 'value', value: 'n | a..b', help: 'run seeds 1..n, or a..b, then stop' },
  'seeds-from': {
    kind: 'value',
    value: 'text',
    help: 'derive the first seed from a text, for example a commit hash',
  },
  ...overTable,
  json: { kind: 'flag', help: 'print only the summary, as JSON, to standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'write the summary to this folder (default: reports/soak)',
  },
  'no-report': { kind: 'flag', help: 'write no files' },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'soak',
  npm: 'npm run soak --',
  about: `Run new random seeds until stopped, and check every property.

  mergeyard soak              until Ctrl-C
  mergeyard soak --for 10m`,
  table,
  more: `Of 100 seeds, 70 run a scenario of the swarm, 15 check such a scenario against every relation, 14 run
small cases in a random order with every setting of the queue, and 1 plants a defect, which must be
found. Failing scenarios are shrunk into reports/failures/.

Exit code: 0 everything holds; 1 something does not hold, or a planted defect was not noticed; 2 invalid
input; 130 interrupted before the end that --for or --seeds set, without a finding.
Without these options Ctrl-C is the normal end: 0 or 1.
`,
}

type ParsedSoakOptions = ParsedOptions<typeof table>

export type SoakOptions = {
  readonly seeds: SoakSeeds
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
}

/** `isEndless`: the seeds run until the user stops them, which is then the normal end. */
export type SoakSeeds = Pick<CampaignSeeds, 'from' | 'to' | 'forMs'> & {
  readonly isEndless: boolean
}

/** Reads the options. Throws `BadInput` if they contradict each other. */
export function soakOptionsOf(parsed: ParsedSoakOptions): SoakOptions {
  const { flag, text } = parsed
  const seeds = soakSeeds({
    seed: text('seed'),
    seeds: text('seeds'),
    'seeds-from': text('seeds-from'),
    for: text('for'),
  })
  return {
    seeds,
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
  }
}

/** Large enough that the seeds of two soaks rarely overlap. */
const newSeedsBelow = 2 ** 40

function soakSeeds(texts: Parameters<typeof seedsOf>[0]): SoakSeeds {
  const { seed, seeds, 'seeds-from': fromText, for: time } = texts
  const isEndless = [seed, seeds, time].every((text) => text === null)
  if (isEndless) {
    const from = fromText === null ? randomInt(newSeedsBelow) : firstSeedOf(fromText)
    return { ...endlessFrom(from), forMs: null, isEndless }
  }
  const isNew = seed === null && seeds === null && fromText === null
  const given = isNew ? { ...texts, seeds: `${randomInt(newSeedsBelow)}..` } : texts
  const found = seedsOf(given, (actual, expected) => badUsage('soak', actual, expected))
  if (found === null) throw badUsage('soak', 'no seeds', '--seeds or --for')
  if (found.kind === 'range') return { ...found, isEndless }
  return { from: found.seed, to: found.seed, forMs: null, isEndless }
}

const endlessFrom = (from: number): SeedRange => ({ from, to: Number.MAX_SAFE_INTEGER })
