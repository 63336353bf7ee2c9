/** The compiled files of the engine, with their sources. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutantsOf, type CompiledFile } from './find-mutants.ts'
import type { Mutant } from './mutant.ts'

/** The folder of the repository. This file is compiled to `dist/bench/mutation/mutants/`. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** Returns the path of the compiled file of a source. */
export const compiledPath = (file: string): string =>
  join(repository, 'dist', file.replace(/\.ts$/, '.js'))

/** Returns the sources of the engine that are mutated: all but test code. */
export function engineFiles(): string[] {
  return readdirSync(join(repository, 'engine'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('engine', path).replaceAll(sep, '/'))
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(path))
    .sort()
}

export function readCompiled(file: string): CompiledFile {
  const path = compiledPath(file)
  return {
    file,
    compiled: readFileSync(path, 'utf8'),
    map: readFileSync(`${path}.map`, 'utf8'),
    source: readFileSync(join(repository, file), 'utf8'),
  }
}

let found: readonly Mutant[] | null = null

/** Returns every mutant of the engine. They are found once: its files stay as they are in a process. */
export function engineMutants(): readonly Mutant[] {
  found ??= engineFiles().flatMap((file) => mutantsOf(readCompiled(file)))
  return found
}
