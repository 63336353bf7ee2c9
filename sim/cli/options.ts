/** The options of `mergeyard sim`. Rules: S-1 to S-13. */

import { allFeatures } from '../swarm/features.ts'
import { fromOne, oneOf, wholeNumber } from '../../server/terminal/readers.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import { priceSettings, priceTable, seedsOf, overTable } from './values.ts'

export const table = {
  'seed <n>': "run this seed instead of the file's",
  'seeds <n | a..b>': 'run seeds 1..n, or a..b, on all cores',
  'seeds-from <text>': 'derive the first seed from a text, for example a commit hash',
  'for <60s>': 'run seeds until this time is over',
  ...overTable,
  'set <path=value>...': 'override a field of the scenario',
  ...priceTable,
  'with <feature>...': 'generate only swarm scenarios with this feature',
  'against <folder>': 'replay the recording in the data folder of a server',
  'queue <name>': 'replay this queue of the recording, for example github.com/acme/shop:main',
  json: 'print only the result document, as JSON, to standard output',
  'trace <file>': 'write every command, event and effect, one per line',
  'expand <file>': 'write the scenario with all random draws as explicit values',
  'report <folder>':
    'report folder (default: reports/<scenario>); with several scenarios, one subfolder each',
  'no-report': 'write no files',
  'why <number>': 'explain what happened to this pull request',
  list: 'print the properties, relations, coverage marks, defects and features, or these scenarios, each in a sentence',
  defects: 'inject defects into the engine and check that a property detects each',
  cluster: 'rehearse several servers on one log, with --seeds or --defects; needs no PostgreSQL',
  exhaustive: 'visit every state of up to five pull requests, without seeds',
  'states <n>': 'with --exhaustive: of six pull requests, until about this many states are known',
  model: 'compare every run with the model, and check nothing else',
  once: 'skip the second run that checks determinism, for very long runs',
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'sim',
  npm: 'npm run sim --',
  about: `Simulate a merge queue: run a scenario with the real engine in simulated time, and check that
every property holds.

  mergeyard sim <scenario file or folder>...
  mergeyard sim --seeds 1000        run the swarm: one random scenario per seed
  mergeyard sim --against <data>    replay the recording of a server; with --set, try other settings
  mergeyard sim import --git <folder> --branch <name>    make a scenario from a real history`,
  operands: ['[scenario file or folder...]'],
  table,
  more: `A folder means its *.json files, sorted by name. A JSON Schema among the files is
skipped, so scenarios/*.json works. Relative paths are relative to the current folder.

  mergeyard sim scenarios/flaky-storm.json
  mergeyard sim scenarios/flaky-storm.json --seeds 200 --set queue.batchingMinSize=8
  mergeyard sim --seeds 1000 --with "mode switches" --with pauses
  mergeyard sim scenarios --json --no-report > results.json
  mergeyard sim --for 60s --seeds-from 2e9a7ee

Exit code: 0 everything holds; 1 a property or an expectation does not; 2 invalid input;
130 interrupted.
`,
}

export type Options = ReturnType<typeof readOptions>

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function readOptions(parsed: ParsedOptions<typeof table>) {
  const { operands, flag, text, list } = parsed
  return {
    files: operands,
    seeds: seedsOf(parsed),
    settings: list('set'),
    /** `--ci-price` and `--wait-price`, as settings. */
    prices: priceSettings(parsed),
    features: parsed.readList('with', oneOf(allFeatures, `one of ${allFeatures.join(', ')}`)),
    /** The data folder of a server with the recording to replay. */
    recordingFolder: text('against'),
    queue: text('queue'),
    json: flag('json'),
    trace: text('trace'),
    expand: text('expand'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    why: parsed.readGiven('why', wholeNumber),
    list: flag('list'),
    defects: flag('defects'),
    cluster: flag('cluster'),
    exhaustive: flag('exhaustive'),
    /** About how many states `--exhaustive` visits of six pull requests; null: every state of five. */
    statesAtMost: statesAtMost(parsed),
    model: flag('model'),
    once: flag('once'),
  }
}

function statesAtMost(parsed: ParsedOptions<typeof table>): number | null {
  if (parsed.isGiven('states') && !parsed.flag('exhaustive')) {
    throw parsed.fault('states', '--exhaustive as well')
  }
  return parsed.readGiven('states', fromOne)
}
