/** Worlds in parallel mode. */

import type { Configuration, ImpactedTargets } from '../../../engine/index.ts'
import type { ScriptedCommand, StreamSpec } from './drive.ts'
import { at } from './script.ts'

/** 1 and 3 share a lane, 2 and 4 each have a separate one, and 5 depends on every group ahead. */
const touched: Readonly<Record<number, ImpactedTargets>> = {
  1: ['web'],
  2: ['api'],
  3: ['web'],
  4: [],
  5: 'ALL',
}

/** A world in parallel mode in which pull requests 1 to 5 have the targets above. */
export function inLanes(
  script: readonly ScriptedCommand[],
  more: Omit<StreamSpec, 'script'> = {},
): StreamSpec & { readonly configuration: Partial<Configuration> } {
  const uploads = Object.entries(touched).map(([number, targets]) =>
    at(0, { type: 'setImpactedTargets', number: Number(number), targets }),
  )
  const configuration = { mode: 'parallel', concurrency: 4, ...more.configuration } as const
  return { ...more, configuration, script: [...uploads, ...script] }
}
