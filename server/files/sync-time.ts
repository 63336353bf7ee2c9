/** Tells how long the disk takes to store what was written. */

import { channel } from 'node:diagnostics_channel'

/** Each message is the time of one fdatasync in seconds. */
export const syncTimes = channel('mergeyard:fdatasync')

const msPerSecond = 1000

export async function timedSync(sync: () => Promise<void>): Promise<void> {
  if (!syncTimes.hasSubscribers) {
    await sync()
    return
  }
  const begun = performance.now()
  await sync()
  syncTimes.publish((performance.now() - begun) / msPerSecond)
}
