/** A small file that other programs replace while the server runs: a change counts within a second. */

import { statSync } from 'node:fs'

const lookEveryMs = 400

export type WatchedFile<Content> = {
  readonly path: string
  /** What is in it now. Throws where that makes no sense. */
  readonly read: () => Content
  /** It has changed. */
  readonly onChange: (content: Content) => void
  /** It has changed to something that makes no sense: what it said before stays in force. */
  readonly onFault: (error: unknown) => void
}

export type Watch<Content> = { readonly first: Content; readonly end: () => void }

/** Reads the file, and again after each change until it is ended. Throws what the first reading does. */
export function watchFile<Content>(file: WatchedFile<Content>): Watch<Content> {
  const { path, read, onChange, onFault } = file
  let seen = stampOf(path)
  const first = read()
  const look = (): void => {
    const stamp = stampOf(path)
    if (stamp === seen) return
    seen = stamp
    try {
      onChange(read())
    } catch (error) {
      onFault(error)
    }
  }
  const timer = setInterval(look, lookEveryMs).unref()
  return { first, end: () => clearInterval(timer) }
}

/** Changes whenever the file does. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : 'none'
}
