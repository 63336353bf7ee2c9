/** Watches a small file that other programs replace; a change is noticed within a second. */

import { statSync } from 'node:fs'

const pollEveryMs = 400

export type WatchedFile<Content> = {
  readonly path: string
  /** Reads the file. Throws if its content is not valid. */
  readonly read: () => Content
  /** Called after a change. */
  readonly onChange: (content: Content) => void
  /** Called if the changed file is not valid; the previous content stays in force. */
  readonly onFault: (error: unknown) => void
}

export type FileWatch<Content> = { readonly first: Content; readonly end: () => void }

/** Reads the file, and again after each change until `end`. Throws if the first read fails. */
export function watchFile<Content>(file: WatchedFile<Content>): FileWatch<Content> {
  const { path, read, onChange, onFault } = file
  let seen = stampOf(path)
  const first = read()
  const poll = (): void => {
    const stamp = stampOf(path)
    if (stamp === seen) return
    seen = stamp
    try {
      onChange(read())
    } catch (error) {
      onFault(error)
    }
  }
  const timer = setInterval(poll, pollEveryMs).unref()
  return { first, end: () => clearInterval(timer) }
}

/** A text that changes whenever the file changes. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : 'none'
}
