/** `npm run sim -- --help`. */

import { optionTable } from './options.ts'
import { optionsHelp } from './parse-options.ts'

const usage = `Rehearse a merge queue: replay a scenario through the real engine, in simulated time,
and check that no property breaks.

  npm run sim -- <scenario file or folder>... [options]

`

const closing = `
A folder means its own *.json, sorted by name. Relative paths count from where you are.

  npm run sim -- scenarios/flaky-storm.json
  npm run sim -- scenarios/flaky-storm.json --seeds 200 --set queue.batchingMinSize=8
  npm run sim -- --seeds 1000 --with "mode switches" --with pauses
  npm run -s sim -- scenarios --json --no-report > results.json

Exit: 0 everything holds; 1 a property or an expectation does not; 2 the input cannot be used;
130 interrupted.
`

export function helpText(): string {
  return usage + optionsHelp(optionTable) + closing
}
