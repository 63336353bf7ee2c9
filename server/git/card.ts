/** What a commit of a pull request is made of, and its message. */

import type { Oid } from './git.ts'

export type Person = { readonly name: string; readonly email: string }

export type CardToCommit = {
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

/** How a landed commit is recognised for ever. */
const trailer = 'Mergeyard-Pull'

/** Words with which CI systems skip a commit: a test branch would have no verdict. */
const skipWords = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|\*\*\*NO_CI\*\*\*/gi
const skipTrailer = /^skip-checks:.*$/gim
/** A pull request must not say that it lands another one. */
const ownTrailer = new RegExp(`^${trailer}:.*$`, 'gim')

/**
 * The number is in the trailer alone: of a `#7` a host makes an event on pull request 7, for each commit that is
 * tested with it.
 */
export function messageOf(
  { number, title, body }: CardToCommit,
  coAuthors: readonly Person[] = [],
): string {
  const subject = cleaned(title).replaceAll(/\s+/g, ' ')
  const others = coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`)
  const trailers = [`${trailer}: ${number}`, ...others].join('\n')
  return [subject, cleaned(body), trailers].filter((part) => part !== '').join('\n\n')
}

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
