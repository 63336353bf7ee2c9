/** Makes data folders with a webhook, with the command `mergeyard webhook add`. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executable } from './executable.ts'

/** Returns a new data folder with a webhook that sends all events to `url`. */
export function folderWithWebhook(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
  const args = [executable, 'webhook', 'add', url, '--data', folder]
  execFileSync(process.execPath, args, { stdio: 'ignore' })
  return folder
}
