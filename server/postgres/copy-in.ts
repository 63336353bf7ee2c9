/**
 * Copies a data folder into an empty store: the state of its queues, its tokens and its webhooks. The entries
 * before stay in the folder.
 */

import { readTokens } from '../auth/tokens.ts'
import { holdLock } from '../files/held-lock.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { chainAfter } from '../replica/chain.ts'
import { engineVersion } from '../replica/engine-version.ts'
import { type SavedState, firstChain } from '../replica/log-database.ts'
import { Register } from '../replica/register.ts'
import { checkEnd } from '../store/check-end.ts'
import { type DataFolder, refuseHalfRestored } from '../store/data-folder.ts'
import { recover } from '../store/recover.ts'
import { linesOfState } from '../store/snapshot-lines.ts'
import { connect } from './connect.ts'
import { copyWebhooksIn } from './copy-webhooks.ts'
import { PostgresLog } from './postgres-log.ts'
import { changeSetting } from './shared-setting.ts'
import { sharedTokens } from './shared-tokens.ts'
import { StoreFault, shownUrl } from './store-fault.ts'

export type Copied = { readonly queues: number; readonly sequence: number }

/** Throws `FolderInUse`, `DamagedData`, or `StoreFault` for a store that cannot be used or is not empty. */
export async function copyIn(folder: DataFolder, url: string): Promise<Copied> {
  refuseHalfRestored(folder)
  // No server may go on in the folder while its state is copied.
  const lock = holdLock(folder.lock, () => undefined)
  try {
    const { registry, saved } = await stateOf(folder)
    const pool = await connect(url)
    try {
      const log = new PostgresLog(pool)
      await write(log, saved, url)
      await changeSetting(pool, sharedTokens, (tokens) => [...tokens, ...readTokens(folder.tokens)])
      const { sequence, chain } = saved
      await copyWebhooksIn(folder, pool, { registry, position: { sequence, chain } })
      const queues = await checkedCopy(log, saved)
      return { queues, sequence }
    } finally {
      await pool.end()
    }
  } finally {
    await lock.release()
  }
}

type Recovered = { readonly registry: QueueRegistry; readonly saved: SavedState }

async function stateOf(folder: DataFolder): Promise<Recovered> {
  const recovered = await recover(folder, { wakeAt: () => undefined })
  checkEnd(folder, recovered)
  const { registry } = recovered
  const { sequence, at } = registry
  if (sequence === 0) throw new StoreFault(`${folder.path} holds no queues that could be copied`)
  const lines = linesOfState(registry.state())
  const chain = chainOfAnchor({ sequence, at })
  return { registry, saved: { sequence, at, chain, engine: engineVersion, lines } }
}

/** The log begins with a line that stands for everything before. It is never replayed: its state is kept. */
const anchorText = ({ sequence, at }: Pick<SavedState, 'sequence' | 'at'>): string =>
  JSON.stringify({ sequence, at, copied: 'the entries before are in the data folder' })

const chainOfAnchor = (of: Pick<SavedState, 'sequence' | 'at'>): string =>
  chainAfter(firstChain, anchorText(of))

async function write(log: PostgresLog, saved: SavedState, url: string): Promise<void> {
  const { sequence, at, chain, engine } = saved
  const turn = await log.begin(0)
  if (turn.tail.head.sequence > 0) {
    await turn.rollBack()
    throw new StoreFault(`${shownUrl(url)} is not empty: copy into a new database`)
  }
  const { wakeAt } = Register.from(saved)
  const line = { sequence, chain, text: anchorText(saved) }
  // The state first: a head without its state could not be read.
  await turn.rollBack()
  await log.saveState(saved)
  const again = await log.begin(0)
  await again.commit([line], { sequence, at, chain, engine, wakeAt })
}

/** Reads the copy as a server does, and compares it with what was to be copied, byte for byte. */
async function checkedCopy(log: PostgresLog, right: SavedState): Promise<number> {
  const found = await log.savedState()
  const read = Register.from(found)
  read.catchUp(await log.look(read.sequence))
  if (found?.lines.join('\n') !== right.lines.join('\n'))
    throw new StoreFault(
      'the copy is not what was to be copied: use a new database, and report this',
    )
  return [...read.manager.registry.queues].length
}
