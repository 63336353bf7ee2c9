/** bors-ng: `bors.toml`, and one setting of its dashboard. */

import { borsHalves } from '../strategies/bors.ts'
import { type Owner, closed, wholeFrom } from './owner-schema.ts'
import { numberIn, numberOrNoneIn, whole, wholeOrNone } from './parameters.ts'
import type { OtherQueue } from './queue.ts'

// What bors-ng accepts: the key of `bors.toml` that is printed.

/** The parser takes any whole number. A batch of none would never be tested. */
const borsFile = { max_batch_size: wholeFrom(1) } as const

export const borsOwner: Owner = {
  schema: closed(borsFile, []),
  source:
    'the parser lib/worker/batcher/bors_toml.ex of bors-ng at ca72579 (2024-01-31), its last commit; there is no schema',
}

const most = 'max_batch_size'
const delay = 'batch_delay_sec'

/** The dashboard has no longest delay; nobody waits longer than a day. */
const waits = wholeFrom(0, 86_400)

export const bors: OtherQueue = {
  name: 'bors',
  title: 'bors-ng',
  after: 'bors-ng (batcher.ex, divider.ex)',
  leavesOut: 'priorities, the timeout, retrying a batch whose push lost a race',
  parameters: [
    wholeOrNone(most, {
      title: 'batch at most',
      accepted: borsFile[most],
      ladder: () => [1, 2, 4, 8, 16, null],
    }),
    whole(delay, {
      title: 'batch delay',
      unit: 's',
      accepted: waits,
      usual: 10,
      ladder: [10, 60, 300],
    }),
  ],
  normal: (values) => values,
  kinds: (values) => (values[most] === 1 ? [] : ['mid-batch']),
  slots: () => 1,
  policy: (values) =>
    borsHalves({ most: numberOrNoneIn(values, most), delayMs: numberIn(values, delay) * 1000 }),
  configuration: (values) => {
    const size = numberOrNoneIn(values, most)
    return {
      target: 'bors.toml',
      language: 'toml',
      text: [
        `# The batch delay is no key of this file: set ${numberIn(values, delay)} seconds on the dashboard.`,
        size === null ? `# No ${most}: a batch has no limit.` : `${most} = ${size}`,
        '',
      ].join('\n'),
      apply: [`keep the other keys of the file, such as status; ${most} goes above any [table]`],
      checked: borsOwner.source,
    }
  },
}
