/** The scripts of pages. They add comfort to a page that is readable without them. */

import { readFileSync } from 'node:fs'

/** Returns the compiled text of a script. */
export function script(name: 'zoom' | 'rows' | 'bars' | 'sort'): string {
  const file = new URL(`./browser/${name}.js`, import.meta.url)
  return readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}
