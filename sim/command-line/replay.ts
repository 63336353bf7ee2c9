/** The command that shows a run again. */

import type { Source } from './source.ts'

export type Replay = {
  readonly source: Source
  readonly seed: number
  readonly settings: readonly string[]
}

/** Ready to paste into a shell, on Windows as well. The swarm needs no file: a seed says it all. */
export function replayCommand({ source, seed, settings }: Replay): string {
  const file = source.kind === 'file' ? [source.file] : []
  const features = source.kind === 'swarm' ? source.features : []
  const parts = [
    ...file,
    '--seed',
    String(seed),
    ...features.flatMap((each) => ['--with', each]),
    ...settings.flatMap((each) => ['--set', each]),
  ]
  return commandOf(parts)
}

/** The simulator with these arguments. */
export function commandOf(parts: readonly string[]): string {
  return `npm run sim -- ${parts.map(quoted).join(' ')}`
}

function quoted(part: string): string {
  return /^[\w./:=,@+-]+$/.test(part) ? part : `"${part.replaceAll('"', '\\"')}"`
}
