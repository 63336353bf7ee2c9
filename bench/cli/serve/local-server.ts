/**
 * The file `local.json` in the data folder of a running server: how commands on the same machine reach it.
 * Only its owner can read it, because it can hold a token.
 */

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../../server/files/replace-file.ts'

export type LocalServer = {
  readonly url: string
  /** Only one that the server made itself; null: it was started with one, which is never written. */
  readonly token: string | null
  /** The names of its queues with a repository. */
  readonly queues: readonly string[]
}

function pathIn(data: string): string {
  return join(data, 'local.json')
}

export async function writeLocal(data: string, server: LocalServer): Promise<void> {
  await replaceFile(pathIn(data), [`${JSON.stringify(server)}\n`])
}

export function removeLocal(data: string): void {
  rmSync(pathIn(data), { force: true })
}

/** Null: no server has said that it runs on this folder. */
export function readLocal(data: string): LocalServer | null {
  const path = pathIn(data)
  if (!existsSync(path)) return null
  const found: Partial<LocalServer> = JSON.parse(readFileSync(path, 'utf8'))
  const { url, token = null, queues = [] } = found
  return typeof url === 'string' ? { url, token, queues } : null
}
