/** The options of `mergeyard tune`. */

import { seedsIn } from '../../../sim/random/seeds.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { seedRange } from '../../../sim/terminal/read-values.ts'
import { freeAxis, knownAxis, knownAxisNames, type TuneAxis } from '../../tune/axes.ts'
import type { QueueAddress } from '../../tune/curl.ts'
import { preferences, type Preference } from '../../tune/verdict.ts'

const table = {
  batch: {
    kind: 'value',
    value: '1,2,4',
    help: 'compare these batch sizes; off means no batches, 1 batches of one',
  },
  wait: {
    kind: 'value',
    value: '0,5',
    help: 'compare these maximum waits for a batch to fill, in minutes',
  },
  concurrency: {
    kind: 'value',
    value: '5,10',
    help: 'compare these numbers of concurrent main test runs',
  },
  bisection: {
    kind: 'value',
    value: '2,5',
    help: 'compare these numbers of concurrent bisection runs',
  },
  depth: {
    kind: 'value',
    value: '0,1,2',
    help: 'compare these values of pendingFailureDepth: successors that a failure waits for',
  },
  optimistic: {
    kind: 'value',
    value: 'on,off',
    help: 'compare with and without optimistic merging',
  },
  set: {
    kind: 'list',
    value: 'path=1,2',
    help: 'compare values of any scenario field; one value applies to every setting; repeatable',
  },
  seeds: { kind: 'value', value: 'n | a..b', help: 'run seeds 1..n, or a..b', default: '40' },
  prefer: {
    kind: 'value',
    value: 'what',
    help: 'optimise balance, time or cost',
    default: 'balance',
  },
  json: { kind: 'flag', help: 'print only the result document, as JSON, to standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'write the report to this folder (default: reports/<scenario>)',
  },
  'no-report': { kind: 'flag', help: 'write no files' },
  repo: {
    kind: 'value',
    value: 'host/owner/name',
    help: 'name this repository in the printed curl command',
  },
  branch: {
    kind: 'value',
    value: 'branch',
    help: 'name this target branch in the curl command',
    default: 'main',
  },
  server: {
    kind: 'value',
    value: 'address',
    help: 'name this server in the curl command',
    default: 'http://127.0.0.1:3000',
  },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'tune',
  npm: 'npm run tune --',
  about: `Find good settings for a queue. Simulates a scenario with every combination of the given values,
over many seeds, with the same pull requests. Recommends a setting if the difference is significant,
and compares its time and cost with the scenario's own setting.

  mergeyard tune scenarios/startup-monorepo.json
  mergeyard tune scenarios/flaky-storm.json --depth 0,1,2 --optimistic on,off --seeds 100`,
  operands: { name: 'scenario file', least: 1, most: 1 },
  table,
  more: `The default is --batch 1,2,4,8,16 --wait 0,2,5,10. Settings that are significantly worse are dropped
after 10, 20, 40, ... seeds. The values of --prefer:
${Object.entries(preferences)
  .map(([name, means]) => `  ${name.padEnd(9)}${means}\n`)
  .join('')}
Exit code: 0 success; 1 a property was violated; 2 invalid input; 130 interrupted.
`,
}

export type TuneOptions = {
  readonly file: string
  readonly axes: readonly TuneAxis[]
  readonly seeds: readonly number[]
  readonly preference: Preference
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
  readonly address: QueueAddress
}

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function readTuneOptions(parsed: ParsedOptions<typeof table>): TuneOptions {
  const { text, value, flag } = parsed
  const known = knownAxisNames.flatMap((name) => {
    const list = text(name)
    return list === null ? [] : [knownAxis(name, list)]
  })
  const free = parsed.list('set').map(freeAxis)
  const isVaried = [...known, ...free].some(({ values }) => values.length > 1)
  const defaults = isVaried || known.length > 0 ? [] : defaultAxes()
  const [file = ''] = parsed.operands
  const range = seedRange(value('seeds'), (expected) => parsed.fault('seeds', expected))
  return {
    file,
    axes: [...defaults, ...known, ...free],
    seeds: [...seedsIn(range)],
    preference: preferenceOf(parsed),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    address: addressOf(parsed),
  }
}

function defaultAxes(): TuneAxis[] {
  return [knownAxis('batch', '1,2,4,8,16'), knownAxis('wait', '0,2,5,10')]
}

function preferenceOf(parsed: ParsedOptions<typeof table>): Preference {
  const text = parsed.value('prefer')
  if (text === 'balance' || text === 'time' || text === 'cost') return text
  throw parsed.fault('prefer', 'balance, time or cost')
}

function addressOf(parsed: ParsedOptions<typeof table>): QueueAddress {
  const [host = '', ...path] = (parsed.text('repo') ?? 'github.com/OWNER/REPO').split('/')
  const name = path.at(-1) ?? ''
  const owner = path.slice(0, -1).join('/')
  if (host === '' || owner === '' || name === '') {
    throw parsed.fault('repo', 'host/owner/name, for example github.com/acme/shop')
  }
  return {
    server: parsed.value('server'),
    repo: { host, owner, name },
    branch: parsed.value('branch'),
  }
}
