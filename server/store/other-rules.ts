/**
 * The log was written by other rules of the engine, and today's rules decide differently. So the
 * replayed state would not be the one that was acknowledged. Stops the start.
 */

import type { LogEntry } from '../../engine/index.ts'
import { rulesVersion } from './rules-version.ts'

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
