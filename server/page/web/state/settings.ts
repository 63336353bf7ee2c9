/** The difference between the settings of a queue and those that the reader wishes. */

import type { Settings, QueueHead } from '../../frame.ts'

export type Wished = { readonly [Name in keyof Settings]-?: NonNullable<Settings[Name]> }

/** The head says nothing of size and wait if there are no batches: then the suggested values. */
export function settingsOf({ mode, concurrency, batching }: QueueHead): Wished {
  return {
    mode,
    concurrency,
    batch: batching !== null,
    batchingMinSize: batching?.size ?? 4,
    batchingMaxWaitTimeMinutes: batching?.waitMinutes ?? 5,
  }
}

export type Difference = { readonly settings: Settings; readonly changes: readonly string[] }

/** Returns only what differs, and a sentence for each. */
export function settingsBetween(before: Wished, after: Wished): Difference {
  const isNewBatch = after.batch && !before.batch
  const settings: Settings = {
    ...(after.mode === before.mode ? {} : { mode: after.mode }),
    ...(after.concurrency === before.concurrency ? {} : { concurrency: after.concurrency }),
    ...(after.batch === before.batch ? {} : { batch: after.batch }),
    ...(after.batch && (isNewBatch || after.batchingMinSize !== before.batchingMinSize)
      ? { batchingMinSize: after.batchingMinSize }
      : {}),
    ...(after.batch &&
    (isNewBatch || after.batchingMaxWaitTimeMinutes !== before.batchingMaxWaitTimeMinutes)
      ? { batchingMaxWaitTimeMinutes: after.batchingMaxWaitTimeMinutes }
      : {}),
  }
  return { settings, changes: sentencesOf(settings, before) }
}

function sentencesOf(settings: Settings, before: Wished): string[] {
  const { mode, concurrency, batch, batchingMinSize, batchingMaxWaitTimeMinutes } = settings
  return [
    ...(mode === undefined
      ? []
      : [`The mode becomes ${mode}. The line empties first; meanwhile nothing new starts.`]),
    ...(concurrency === undefined
      ? []
      : [
          concurrency < before.concurrency
            ? `At most ${concurrency} run at once instead of ${before.concurrency}. Runs under way go on.`
            : `Up to ${concurrency} run at once instead of ${before.concurrency}.`,
        ]),
    ...(batch === false ? ['Each pull request is tested by itself. Batches under way go on.'] : []),
    ...(batchingMinSize === undefined
      ? []
      : [`Batches have up to ${batchingMinSize} pull requests.`]),
    ...(batchingMaxWaitTimeMinutes === undefined
      ? []
      : [`A batch waits at most ${batchingMaxWaitTimeMinutes} minutes until it is full.`]),
  ]
}
