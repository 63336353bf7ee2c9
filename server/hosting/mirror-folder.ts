/** Where the copy of a repository lies in a data folder. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** The path of the mirror; it exists after the first start on this repository. */
export function mirrorFolder(data: string, url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(data, 'mirrors', name)
}
