/** What Mergify accepts: the parts of `.mergify.yml` that are printed. */

import { closed, listOf, text, wholeFrom, yesOrNo, type Owner } from './schema.ts'

export const mergifyQueue = {
  max_parallel_checks: wholeFrom(1, 128),
  skip_intermediate_results: yesOrNo,
} as const

/** One size, and each end of a range of sizes. */
export const mergifyBatchSize = wholeFrom(1, 128)

/** The schema calls it a duration; the page "Data types" says which: quantity, unit, and so on. */
const duration = { type: 'string', pattern: '^\\d+ (?:seconds|minutes)$' }

const queueRule = {
  name: text,
  batch_size: {
    anyOf: [mergifyBatchSize, closed({ min: mergifyBatchSize, max: mergifyBatchSize })],
  },
  batch_max_wait_time: duration,
}

export const mergifyOwner: Owner = {
  schema: closed({
    merge_queue: closed(mergifyQueue),
    queue_rules: listOf(closed(queueRule), { maxItems: 50 }),
  }),
  source:
    'the JSON Schema that Mergify publishes, public/mergify-configuration-schema.json of Mergifyio/docs at 905e495 (2026-08-21)',
}
