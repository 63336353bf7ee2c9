/** A data folder whose server has a webhook, added with the project's own command. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const administrator = fileURLToPath(new URL('../../server/cli.js', import.meta.url))

/** A new folder; everything that happens is to be told to that address. */
export function folderWithWebhook(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
  const args = [administrator, 'webhook', 'add', url, '--data', folder]
  execFileSync(process.execPath, args, { stdio: 'ignore' })
  return folder
}
