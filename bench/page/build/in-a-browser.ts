/**
 * What the simulator takes from Node, replaced for a browser: digests that Node computes, and a random
 * generator whose package asks Node for entropy that nobody uses. The numbers and digests are the
 * same; `play/in-a-browser.test.ts` compares them.
 */

import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const digests = fileURLToPath(new URL('../play/worker/browser-digest.ts', import.meta.url))

/** Only tychei is used; the package would bring six more generators. */
const generators = `import tychei from 'seedrandom/lib/tychei.js'
export default { tychei }`

export function inABrowser(): Plugin {
  const virtual = '\0mergeyard-seedrandom'
  return {
    name: 'mergeyard-in-a-browser',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'seedrandom') return virtual
      const isDigest = source.endsWith('/digest.ts') && importer?.includes('/sim/') === true
      return isDigest ? digests : null
    },
    load: (id) => (id === virtual ? generators : null),
  }
}
