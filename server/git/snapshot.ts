/** What a commit of a pull request is made of, and its message. */

import type { Oid } from './git.ts'

export type Person = { readonly name: string; readonly email: string }

export type SnapshotToCommit = {
  readonly number: number
  /** The frozen head. */
  readonly head: Oid
  readonly title: string
  readonly body: string
  readonly author: Person
  /** The instant of the submission, in milliseconds. */
  readonly at: number
}

export type MergeMethod = 'merge_commit' | 'squash' | 'rebase'

/** Who commits: fixed, because the same composition must be the same commit everywhere. */
export const committer: Person = { name: 'Mergeyard', email: 'mergeyard@localhost' }

/** How a landed commit is recognised forever. */
const trailer = 'Mergeyard-Pull'

/** Words with which CI systems skip a commit: a test branch would have no verdict. */
const skipWords =
  /\[(?:skip[ _-]ci|ci[ _-]skip|no ci|skip actions|actions skip)\]|\*\*\*NO_CI\*\*\*/gi
const skipTrailer = /^skip-checks:.*$/gim
/** A pull request must not say that it lands another one. */
const ownTrailer = new RegExp(`^${trailer}[ \\t]*:.*$`, 'gim')

/** What a squash keeps of a commit of the branch. */
export type SquashedCommit = {
  readonly author: Person
  /** The trailers that git reads in its message, unfolded. */
  readonly trailers: readonly string[]
}

/** The longest description, in UTF-16 units: a template can have 70,000. */
const longestDescription = 5_000
const cutMark = '[The description of the pull request goes on.]'

/**
 * The message of a commit: the title, the description without HTML comments and cut if it is long, and one
 * last paragraph with the trailers of the description, ours, and for a squash those of the branch's commits
 * and their authors, each once.
 *
 * The number is in the trailer alone: of a `#7` a host makes an event on pull request 7, for each commit that is
 * tested with it.
 */
export function messageOf(
  { number, title, body, author }: SnapshotToCommit,
  squashed: readonly SquashedCommit[] = [],
): string {
  const subject = cleaned(title).replaceAll(/\s+/g, ' ') || unnamed(number)
  const description = withoutComments(cleaned(body))
  const { text, trailers } = splitTrailers(`${subject}\n\n${description}`.trim())
  const known = new Set(trailers.map(spaced))
  const given = squashed
    .flatMap((commit) => commit.trailers.map(cleaned))
    .filter((line) => !known.has(line) && !gitsAddress.test(line))
  const authors = squashed.map((commit) => `Co-authored-by: ${personText(commit.author)}`)
  const mine = `co-authored-by: <${author.email}>`.toLowerCase()
  const lines = [...trailers, ownTrailerOf(number), ...given, ...authors]
  const others = lines.filter((line) => line !== '' && identity(line) !== mine)
  return joined(cut(text), [...new Map(others.map((line) => [identity(line), line])).values()])
}

/** A whole message with our trailer in its last paragraph. */
export function withOwnTrailer(message: string, number: number): string {
  const { text, trailers } = splitTrailers(message)
  return joined(text || unnamed(number), [...trailers, ownTrailerOf(number)])
}

/** The subject where nobody has written one: a trailer in its place is none for git. */
const unnamed = (number: number): string => `Pull request ${number}`

/** The description of a branch that nobody has described: the messages of its commits, oldest first. */
export function descriptionOf(messages: readonly string[]): string {
  return messages.map((message) => `* ${splitTrailers(message.trim()).text}`).join('\n\n')
}

/** As git prints it, however its colon is spaced. */
const spaced = (line: string): string => line.replace(/^([\w-]+)[ \t]*:[ \t]*/, '$1: ')

/** A co-author is who has the address, by whatever name. */
function identity(line: string): string {
  const address = /^co-authored-by\s*:[^<]*(<[^>]*>)/i.exec(line)?.[1]
  return address === undefined ? line : `co-authored-by: ${address}`.toLowerCase()
}

const personText = ({ name, email }: Person): string => `${name} <${email}>`
const ownTrailerOf = (number: number): string => `${trailer}: ${number}`

function joined(text: string, trailers: readonly string[]): string {
  return [text, trailers.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** A comment that does not end stays. */
function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--')
  let kept = first
  let open = ''
  for (const part of rest) {
    const end = part.indexOf('-->')
    open += `<!--${end < 0 ? part : ''}`
    if (end < 0) continue
    kept += part.slice(end + 3)
    open = ''
  }
  return (kept + open).replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** Cut at the end of a line if there is one in the last fifth. */
function cut(text: string): string {
  if (text.length <= longestDescription) return text
  const start = text.slice(0, longestDescription)
  const lineEnd = start.lastIndexOf('\n')
  const kept = lineEnd > longestDescription * 0.8 ? start.slice(0, lineEnd) : start
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}\n\n${cutMark}`
}

/**
 * The last paragraph of a message if git takes it for trailers, and what is before it. All its lines must be
 * trailers, or a quarter of them if git itself writes one of them.
 */
function splitTrailers(message: string): { readonly text: string; readonly trailers: string[] } {
  const all = message.split('\n')
  const place = all.findLastIndex((line) => line.trim() === '')
  const last = all.slice(place + 1).join('\n')
  if (place < 0 || last.length > longestDescription) return { text: message, trailers: [] }
  // A line that begins with a space goes on with the one before.
  const lines = last.replaceAll(/\n[ \t]+/g, ' ').split('\n')
  const read = lines.filter((line) => !line.startsWith('#'))
  const count = read.filter((line) => gitsTrailer.test(line) || anyTrailer.test(line)).length
  const isMixed = read.some((line) => gitsTrailer.test(line)) && count * 4 >= read.length
  const isTrailers = count > 0 && (count === read.length || isMixed)
  if (!isTrailers) return { text: message, trailers: [] }
  return { text: all.slice(0, place).join('\n').trimEnd(), trailers: lines }
}

const gitsTrailer = /^(?:Signed-off-by: |\(cherry picked from commit )/
/** Git takes the address of a page for a trailer too, and prints it with a space after the colon. */
const anyTrailer = /^[A-Za-z0-9-]+[ \t]*:(?!\/\/)/
const gitsAddress = /^[A-Za-z0-9-]+: \/\//

/** What `git log --extended-regexp --grep` takes, to find the commit as which a pull request has landed. */
export function landingPattern(number: number): string {
  return `^${trailer}: ${number}$`
}

/** The numbers in the trailers of a message: its last paragraph. */
export function numbersIn(message: string): number[] {
  const last =
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  const lines = last.matchAll(new RegExp(`^${trailer}: ([1-9]\\d{0,8})$`, 'gm'))
  return Array.from(lines, ([, number]) => Number(number))
}

/** A text without what CI systems, this server and git would take for an instruction. */
export function cleaned(text: string): string {
  const lines = text.replaceAll('\0', '').replaceAll('\r\n', '\n')
  return [skipWords, skipTrailer, ownTrailer]
    .reduce((rest, words) => rest.replaceAll(words, ''), lines)
    .trim()
}
