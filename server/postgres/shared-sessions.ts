/** The sessions of the live page, which all servers share: any of them answers whoever has signed in. */

import type { Pool } from 'pg'
import { sessionsIn, type KeptSessions, type Session } from '../page/sessions.ts'
import { changeSetting, readSetting, type SharedSetting } from './shared-setting.ts'

/** A sign-out on another server counts after so long at most. */
const everyMs = 1_000

const setting: SharedSetting<Session> = {
  name: 'sessions',
  // Who is signed in with something else signs in again.
  itemsIn: (found) => sessionsIn(found) ?? [],
}

export function sharedSessions(pool: Pool): KeptSessions {
  let sessions: readonly Session[] = []
  /** How often this server has changed them: what was read before that is too old. */
  let changes = 0
  let looking: Promise<void> | null = null
  const read = async (): Promise<void> => {
    const before = changes
    const found = await readSetting(pool, setting)
    if (before === changes) sessions = found
  }
  const look = (): Promise<void> => {
    // Strangers who invent cookies share a look.
    looking ??= read()
      // Without the database nothing is answered, so those who are known can stay.
      .catch(() => undefined)
      .finally(() => {
        looking = null
      })
    return looking
  }
  const timer = setInterval(() => void look(), everyMs).unref()
  return {
    known: () => sessions,
    change: async (edit) => {
      let changed: readonly Session[] = []
      await changeSetting(pool, setting, (kept) => {
        changed = edit(kept)
        return changed
      })
      changes++
      sessions = changed
    },
    look,
    close: () => {
      clearInterval(timer)
      return Promise.resolve()
    },
  }
}
