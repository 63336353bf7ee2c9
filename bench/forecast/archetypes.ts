/** The teams and storms on which forecasts are judged. */

import { fileURLToPath } from 'node:url'

/** `synchronised-burst` is left out: of 15 pull requests a queue never sees the runs that it needs. */
export const archetypes = [
  'small-team',
  'hotfix',
  'startup-monorepo',
  'sticky-failures',
  'monorepo-with-hubs',
  'slow-ci-with-roll-ups',
  'midsize-monolith',
  'flaky-storm',
  'release-freeze',
] as const

export function archetypeFile(name: string): string {
  return fileURLToPath(new URL(`../../../scenarios/${name}.json`, import.meta.url))
}
