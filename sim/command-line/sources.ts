/** Which scenarios the command line names. */

import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BadInput } from '../scenario/bad-input.ts'
import { loadScenario } from '../scenario/load.ts'
import { applySettings } from '../scenario/settings.ts'
import type { Options } from './options.ts'
import type { Source } from './source.ts'

/**
 * Loads every scenario that `names` name, settings applied. All faults of all files come at once.
 * A folder means its own `*.json`, sorted by name, without subfolders and schemas. No names at all
 * mean the swarm.
 */
export function loadSources(
  names: readonly string[],
  from: string,
  { settings, features }: Pick<Options, 'settings' | 'features'>,
): Source[] {
  if (names.length === 0) return [{ kind: 'swarm', settings, features }]
  const faults: string[] = []
  const sources: Source[] = []
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      faults.push(...error.lines)
    }
  }
  for (const name of names) {
    attempt(() => {
      for (const file of filesOf(name, from)) {
        attempt(() => {
          const scenario = applySettings(loadScenario(resolve(from, file), file), settings)
          sources.push({ kind: 'file', file, scenario })
        })
      }
    })
  }
  if (faults.length > 0) throw new BadLines(faults)
  return sources
}

/** Several inputs' faults together, each line complete by itself. */
export class BadLines extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

function filesOf(name: string, from: string): string[] {
  const path = resolve(from, name)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder) return [name]
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name: file }) => file)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .sort((a, b) => (a < b ? -1 : 1))
  if (files.length === 0) {
    const expected = 'a folder with scenarios (*.json) in it'
    throw new BadInput(name, [{ where: 'folder', expected, came: 'none' }])
  }
  return files.map((file) => join(name, file))
}
