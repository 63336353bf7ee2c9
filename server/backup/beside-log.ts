/**
 * The files of a data folder beside its snapshots and its log that a start needs. It reads them before it changes
 * anything, so a start that fails because of one has changed nothing. Rule: A-151.
 */

import { readTokens } from '../auth/tokens.ts'
import type { DataFolder } from '../store/data-folder.ts'
import { messageOf } from '../terminal/text.ts'
import { readEndpoints } from '../webhooks/message.ts'
import { readOutbox } from '../webhooks/outbox.ts'

const readers: readonly ((folder: DataFolder) => unknown)[] = [
  ({ tokens }) => readTokens(tokens),
  ({ webhooks }) => readEndpoints(webhooks),
  ({ outbox }) => readOutbox(outbox),
]

/** Throws for the first one that is not valid. */
export function readBesideLog(folder: DataFolder): void {
  for (const read of readers) read(folder)
}

/** What is wrong with each of them. */
export function faultsBesideLog(folder: DataFolder): string[] {
  return readers.flatMap((read) => {
    try {
      read(folder)
      return []
    } catch (error) {
      return [messageOf(error)]
    }
  })
}
