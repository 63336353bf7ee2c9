/** READMEs stay true: the files they link to and the scripts they tell to run are there. */

import { posix } from 'node:path'
import { lineAt } from './source.ts'
import type { RepositoryFile } from './repository.ts'

const link = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g
const script = /\bnpm (?:run (?:-s |--silent )?([a-z][\w:-]*)|(test|start)\b)/g

/** Links and scripts of a markdown file that lead nowhere. */
export function deadEndsIn(
  file: RepositoryFile,
  paths: readonly string[],
  scripts: readonly string[],
): string[] {
  if (!file.path.endsWith('.md')) return []
  const exists = (path: string): boolean =>
    paths.some((each) => each === path || each.startsWith(`${path.replace(/\/$/, '')}/`))
  const at = (match: RegExpExecArray): string => `${file.path}:${lineAt(file, match.index)}`
  const links = [...file.text.matchAll(link)]
    .filter(([, target = '']) => !exists(posix.join(posix.dirname(file.path), target)))
    .map((match) => `${at(match)} links to ${match[1] ?? ''}, which is not there`)
  const commands = [...file.text.matchAll(script)]
    .filter(([, name, short = '']) => !scripts.includes(name ?? short))
    .map((match) => `${at(match)} says ${match[0]}, which package.json does not know`)
  return [...links, ...commands]
}
