/** The command that reproduces a run. */

import { shellWord } from '../../server/terminal/text.ts'
import type { Source } from './source.ts'

export type ReplayCommandParts = {
  readonly source: Source
  readonly seed: number
  readonly settings: readonly string[]
}

/** Returns the command, quoted for a shell. The swarm needs only a seed, no file. */
export function replayCommand({ source, seed, settings }: ReplayCommandParts): string {
  const file = source.kind === 'file' ? [source.file] : []
  const features = source.kind === 'swarm' ? source.features : []
  const parts = [
    ...file,
    '--seed',
    String(seed),
    ...features.flatMap((each) => ['--with', each]),
    ...(source.only === 'model' ? ['--model'] : []),
    ...settings.flatMap((each) => ['--set', each]),
  ]
  return simLine(parts)
}

/** Returns the command that calls the simulator with these arguments. */
export function simLine(parts: readonly string[]): string {
  return `npm run sim -- ${parts.map(shellWord).join(' ')}`
}
