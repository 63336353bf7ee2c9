/** What bors-ng accepts: the key of `bors.toml` that is printed. */

import { closed, wholeFrom, type Owner } from './schema.ts'

/** The parser takes any whole number. A batch of none would never be tested. */
export const borsFile = { max_batch_size: wholeFrom(1) } as const

export const borsOwner: Owner = {
  schema: closed(borsFile, []),
  source:
    'the parser lib/worker/batcher/bors_toml.ex of bors-ng at ca72579 (2024-01-31), its last commit; there is no schema',
}
