/** A small JSON file that people may have edited. */

import { existsSync, readFileSync } from 'node:fs'

/** What it says, and `missing` where there is none. Throws what names the file, and the fault. */
export function readJsonFile(path: string, missing: unknown): unknown {
  if (!existsSync(path)) return missing
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} is not JSON: ${why}`, { cause: error })
  }
}
