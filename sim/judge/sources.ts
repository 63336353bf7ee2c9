/** Loads the scenarios that the command line names. */

import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BadInput, BadLines } from '../../server/terminal/bad-input.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { SchemaInput } from '../scenario/check.ts'
import { loadScenario } from '../scenario/load.ts'
import type { Scenario } from '../scenario/scenario.ts'
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
  /** Is told of each file that is skipped, in a whole line. */
  readonly onSkipped?: (line: string) => void
}

/**
 * Loads the scenarios in the files and folders `names`, with the settings applied. A folder stands
 * for its `*.json` files, sorted by name, without subfolders and schemas. Without names, returns the
 * swarm. Throws `BadLines` with the faults of all files.
 *
 * `*.json`, as a shell expands it, names the schema among the scenarios. So a JSON Schema beside
 * scenarios is skipped; alone it is a fault (S-2).
 */
export function loadSources(
  names: readonly string[],
  from: string,
  { settings, features, model = false, onSkipped }: SourceOptions,
): Source[] {
  const only = model ? ({ only: 'model' } as const) : {}
  if (names.length === 0) return [{ kind: 'swarm', settings, features, ...only }]
  const faults: string[] = []
  const schemas: SchemaInput[] = []
  const sources: Source[] = []
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      if (error instanceof SchemaInput) schemas.push(error)
      else faults.push(...error.lines)
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
  if (sources.length === 0) faults.push(...schemas.flatMap(({ lines }) => lines))
  if (faults.length > 0) throw new BadLines(faults)
  for (const { source } of schemas) {
    onSkipped?.(`${source}: skipped, because it is a JSON Schema and not a scenario\n`)
  }
  return sources
}

/** Loads the one scenario that the operands of a command name. Throws `BadInput` for more, and for none. */
export function loadOne(
  { operands }: { readonly operands: readonly string[] },
  { command, from, settings }: { command: string; from: string; settings: readonly string[] },
): Scenario {
  const sources = loadSources(operands, from, { settings, features: [] })
  const [source] = sources
  if (sources.length === 1 && source?.kind === 'file') return source.scenario
  throw badUsage(command, `${sources.length} scenarios`, 'one scenario')
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
