/** Checks that the links, headings, npm scripts and rooms in READMEs exist, and that guides stay short. */

import { posix } from 'node:path'
import { lineAt } from './source.ts'
import type { RepositoryFile } from './repository.ts'

const link = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g
const script = /\bnpm (?:run (?:-s |--silent )?([a-z][\w:-]*)|(test|start)\b)/g

/** Returns broken links and unknown npm scripts in a Markdown file. */
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
    .map((match) => `${at(match)} links to ${match[1] ?? ''}, which does not exist`)
  const commands = [...file.text.matchAll(script)]
    .filter(([, name, short = '']) => !scripts.includes(name ?? short))
    .map((match) => `${at(match)} mentions ${match[0]}, which package.json does not have`)
  return [...links, ...commands]
}

const anchor = /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g

/** Returns links to headings that their Markdown file does not have. A link to no file is a dead end. */
export function lostHeadings(files: readonly RepositoryFile[]): string[] {
  const headings = new Map(
    files.filter(({ path }) => path.endsWith('.md')).map((file) => [file.path, headingsOf(file)]),
  )
  return files
    .filter(({ path }) => headings.has(path))
    .flatMap((file) =>
      [...file.text.matchAll(anchor)].flatMap((match) => {
        const [, target = '', heading = ''] = match
        const path = target === '' ? file.path : posix.join(posix.dirname(file.path), target)
        if (headings.get(path)?.has(heading) !== false) return []
        const at = `${file.path}:${lineAt(file, match.index)}`
        return [`${at} links to #${heading}, which ${path} does not have`]
      }),
    )
}

/** The anchors that GitHub gives to the headings: `The data folder` is `the-data-folder`. */
function headingsOf({ text }: RepositoryFile): Set<string> {
  const prose = text.replace(/^```[^]*?^```$/gm, '')
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** The maximum number of lines: a start for people who come, and a guide for each folder of code. */
const longest = new Map([
  ['README.md', 200],
  ...['engine', 'server', 'sim', 'bench'].map((folder) => [`${folder}/README.md`, 250] as const),
])

/** Returns the guides that are too long. */
export function longGuides(files: readonly RepositoryFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    const most = longest.get(path) ?? Infinity
    return lines > most ? [`${path} has ${lines} lines, at most ${most} are allowed`] : []
  })
}

/**
 * Returns the differences between the rooms of a folder and its README. The README lists each room
 * in a table row that begins with its name: "| `rules/` |".
 */
export function unlistedRooms(files: readonly RepositoryFile[], folder: string): string[] {
  const readme = `${folder}/README.md`
  const text = files.find(({ path }) => path === readme)?.text ?? ''
  const listed = [...text.matchAll(/^\| `([\w-]+)\/` +\|/gm)].map(([, room]) => room ?? '')
  const sources = files.filter(({ path }) => path.startsWith(`${folder}/`) && path.endsWith('.ts'))
  const inRooms = sources.map(({ path }) => path.split('/')).filter((path) => path.length > 2)
  const rooms = new Set(inRooms.map(([, room = '']) => room))
  return [
    ...[...rooms]
      .filter((room) => !listed.includes(room))
      .map((room) => `${readme} does not list ${room}/`),
    ...listed
      .filter((room, index) => !rooms.has(room) || listed.indexOf(room) < index)
      .map((room) => `${readme} lists ${room}/ twice, or the folder does not exist`),
  ]
}
