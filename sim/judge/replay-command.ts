/** The command that reproduces a run. */

import type { Source } from './source.ts'

export type ReplayCommandParts = {
  readonly source: Source
  readonly seed: number
  readonly settings: readonly string[]
}

/** Returns the command, quoted for shells, also on Windows. The swarm needs only a seed, no file. */
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
  return commandOf(parts)
}

/** Returns the command that calls the simulator with these arguments. */
export function commandOf(parts: readonly string[]): string {
  return `npm run sim -- ${parts.map(quoted).join(' ')}`
}

function quoted(part: string): string {
  return /^[\w./:=,@+-]+$/.test(part) ? part : `"${part.replaceAll('"', '\\"')}"`
}
