/** `npm run sim -- --help`. */

import { optionTable } from './options.ts'
import { optionsHelp } from './parse-options.ts'

const usage = `Rehearse a merge queue: replay a scenario through the real engine, in simulated time,
and check that no property breaks.

  npm run sim -- <scenario file or folder>... [options]
  npm run sim -- --seeds 1000        the swarm: a scenario for every seed, made up from it
  npm run sim -- --against <data>    what a server recorded, again; with --set what could have been
  npm run sim -- merge <file>...     the results of --shard 1/n to n/n, as if it had been one run
  npm run sim -- import --git <folder> --branch <name>    a scenario from a real history

`

export const mergeHelp = `Put the results of shards together: the same bytes as if it had been one run.

  npm run -s sim -- --seeds 1000 --shard 1/2 --json > a.json
  npm run -s sim -- --seeds 1000 --shard 2/2 --json > b.json
  npm run sim -- merge a.json b.json [--json]

A scenario file that is called merge is ./merge.
`

const closing = `
A folder means its own *.json, sorted by name. Relative paths count from where you are.

  npm run sim -- scenarios/flaky-storm.json
  npm run sim -- scenarios/flaky-storm.json --seeds 200 --set queue.batchingMinSize=8
  npm run sim -- --seeds 1000 --with "mode switches" --with pauses
  npm run -s sim -- scenarios --json --no-report > results.json
  npm run sim -- --for 60s --seeds-from 2e9a7ee

Exit: 0 everything holds; 1 a property or an expectation does not; 2 the input cannot be used;
130 interrupted.
`

export function helpText(): string {
  return usage + optionsHelp(optionTable) + closing
}
