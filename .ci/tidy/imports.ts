/** The imports of the sources. Type imports count as well. */

import { posix } from 'node:path'
import { isSource, isTestCode, lineAt, repositorySources, type Source } from './source.ts'

export type Import = {
  /** The path of the importing file. */
  readonly from: string
  readonly specifier: string
  /** Path and line of the import. */
  readonly place: string
}

/**
 * Returns all imports of a source, of types and of values, with re-exports and dynamic imports. The
 * missing form, `import('./a.ts').A` as a type, is forbidden by oxlint.
 */
export function importsOf(source: Source): Import[] {
  const { staticImports, staticExports, dynamicImports } = source.module
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((each) => each.moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ]
  // A re-export has one entry for each name.
  const distinct = new Map(requests.map((request) => [request.start, request])).values()
  return [...distinct].flatMap(({ start, end }) => {
    // A dynamic import may compute its file name.
    const [, specifier] = /^["'](.*)["']$/.exec(source.text.slice(start, end)) ?? []
    if (specifier === undefined) return []
    return [{ from: source.path, specifier, place: `${source.path}:${lineAt(source, start)}` }]
  })
}

let allImports: readonly Import[] | null = null

/** Returns all imports of the repository. Computed once per process. */
export function repositoryImports(): readonly Import[] {
  return (allImports ??= repositorySources().flatMap(importsOf))
}

/** Returns the file that a relative import names; null for a package. */
export function targetOf({ from, specifier }: Import): string | null {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null
}

/** Returns relative imports that do not name an existing source with its extension. */
export function lostImports(imports: readonly Import[], paths: readonly string[]): Import[] {
  const sources = new Set(paths.filter(isSource))
  return imports.filter((each) => {
    const target = targetOf(each)
    return target !== null && !sources.has(target)
  })
}

/** Returns imports of packages by what ships that are not in `dependencies`. The live page is bundled with its own. */
export function missingInProduction(
  imports: readonly Import[],
  dependencies: readonly string[],
): Import[] {
  return imports.filter(({ from, specifier }) => {
    if (isTestCode(from) || !/^(?:server(?!\/page\/web)|sim)\//.test(from)) return false
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return false
    return !dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  })
}
