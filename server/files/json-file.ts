/** Reads a small JSON file that an administrator may have edited. */

import { existsSync, readFileSync } from 'node:fs'
import { messageOf } from '../terminal/text.ts'

/** Returns the parsed file, or `missing` if there is none. Throws an error that names the file. */
export function readJsonFile(path: string, missing: unknown): unknown {
  if (!existsSync(path)) return missing
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    throw new Error(`${path} is not JSON: ${message}`, { cause: error })
  }
}
