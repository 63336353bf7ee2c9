/** The sessions of a server with a data folder, in a file. */

import { readJsonFile } from '../files/json-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import { sessionsIn, type KeptSessions } from './sessions.ts'

/** Throws if the file is not valid. */
export function sessionFile(path: string): KeptSessions {
  const read = sessionsIn(readJsonFile(path, []))
  if (!read)
    throw new Error(`${path} is not a list of sessions: remove it, and everybody signs in again`)
  let sessions = read
  let writing: Promise<void> = Promise.resolve()
  return {
    known: () => sessions,
    change: (edit) => {
      sessions = edit(sessions)
      const text = `${JSON.stringify(sessions)}\n`
      // One after the other: the last state is the one that stays.
      writing = writing.catch(() => undefined).then(() => replaceFile(path, [text]))
      return writing
    },
    look: () => undefined,
    close: () => writing,
  }
}
