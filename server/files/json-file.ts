/** Reads a small JSON file that an administrator may have edited. */

import { existsSync, readFileSync } from 'node:fs'

/** Returns the parsed file, or `missing` if there is none. Throws an error that names the file. */
export function readJsonFile(path: string, missing: unknown): unknown {
  if (!existsSync(path)) return missing
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} is not JSON: ${message}`, { cause: error })
  }
}
