/** Worlds of parallel mode. */

import type { Configuration, ImpactedTargets } from '../../../engine/index.ts'
import type { Scripted, World } from './drive.ts'
import { at } from './script.ts'

/** 1 and 3 are one lane, 2 and 4 are by themselves; 5 would be on top of everybody. */
const touched: Readonly<Record<number, ImpactedTargets>> = {
  1: ['web'],
  2: ['api'],
  3: ['web'],
  4: [],
  5: 'ALL',
}

export function inLanes(
  script: readonly Scripted[],
  more: Omit<World, 'script'> = {},
): World & { readonly configuration: Partial<Configuration> } {
  const uploads = Object.entries(touched).map(([number, targets]) =>
    at(0, { type: 'setImpactedTargets', number: Number(number), targets }),
  )
  const configuration = { mode: 'parallel', concurrency: 4, ...more.configuration } as const
  return { ...more, configuration, script: [...uploads, ...script] }
}
