/** Loads the scenarios that the command line names. */

import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BadInput, BadLines } from '../scenario/bad-input.ts'
import { loadScenario } from '../scenario/load.ts'
import { applySettings } from '../scenario/settings.ts'
import type { Feature } from '../swarm/features.ts'
import type { Source } from './source.ts'

export type SourceOptions = {
  /** Overrides of scenario fields, `path=value`. */
  readonly settings: readonly string[]
  /** Features that every scenario of the swarm has. */
  readonly features: readonly Feature[]
  /** Compare every run with the model, and check nothing else. */
  readonly model?: boolean
}

/**
 * Loads the scenarios in the files and folders `names`, with the settings applied. A folder stands
 * for its `*.json` files, sorted by name, without subfolders and schemas. Without names, returns the
 * swarm. Throws `BadLines` with the faults of all files.
 */
export function loadSources(
  names: readonly string[],
  from: string,
  { settings, features, model = false }: SourceOptions,
): Source[] {
  const only = model ? ({ only: 'model' } as const) : {}
  if (names.length === 0) return [{ kind: 'swarm', settings, features, ...only }]
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
          sources.push({ kind: 'file', file, scenario, ...only })
        })
      }
    })
  }
  if (faults.length > 0) throw new BadLines(faults)
  return sources
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
    throw new BadInput(name, [{ where: 'folder', expected, actual: 'none' }])
  }
  return files.map((file) => join(name, file))
}
