/**
 * The version of the rules by which this engine decides: a hash of its compiled sources. Two builds
 * with the same hash give the same events for the same commands.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const engine = fileURLToPath(new URL('../../engine', import.meta.url))
const digits = 12

let known: string | null = null

export function rulesVersion(): string {
  known ??= hashOf(engine)
  return known
}

function hashOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource)
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    hash.update(name.replaceAll(sep, '/')).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, digits)
}

/** Tests are not part of an installed package. */
function isSource(name: string): boolean {
  return name.endsWith('.js') && !name.includes('.test.') && !name.split(sep).includes('testing')
}
