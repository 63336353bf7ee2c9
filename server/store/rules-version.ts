/**
 * The version of the rules by which this engine decides: a hash of its compiled sources. Two builds
 * with the same hash give the same events for the same commands.
 */

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LogEntry } from '../../engine/index.ts'

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

/**
 * The log was written by other rules of the engine, and today's rules decide differently. So the
 * replayed state would not be the one that was acknowledged. Stops the start.
 */
export class OtherRules extends Error {
  override readonly name = 'OtherRules'

  constructor(file: string, { sequence }: LogEntry, rules: string) {
    super(
      `${file}: entry ${sequence} was made by the engine rules ${rules}; the rules of this version ` +
        `(${rulesVersion()}) decide differently. Nothing was changed. Start the version that wrote ` +
        'it once and stop it with SIGTERM, so that it writes a snapshot; then start this version',
    )
  }
}
