/** Targets by patterns of paths. */

import picomatch from 'picomatch'
import type { ImpactedTargets } from '../../engine/index.ts'

/**
 * The targets whose patterns match a changed path. A path that no pattern matches may concern
 * everybody, so it gives ALL.
 */
export function targetsOfPaths(
  patterns: Readonly<Record<string, readonly string[]>>,
  changed: readonly string[],
): ImpactedTargets {
  const targets = Object.entries(patterns).map(([name, globs]) => ({
    name,
    matches: picomatch([...globs], { dot: true }),
  }))
  const found = new Set<string>()
  for (const path of changed) {
    const matching = targets.filter(({ matches }) => matches(path))
    if (matching.length === 0) return 'ALL'
    for (const { name } of matching) found.add(name)
  }
  return [...found].sort()
}
