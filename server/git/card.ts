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

export function messageOf(
  { number, title, body }: CardToCommit,
  coAuthors: readonly Person[] = [],
): string {
  const subject = `${cleaned(title)} (#${number})`
  const others = coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`)
  const trailers = [`${trailer}: ${number}`, ...others].join('\n')
  return [subject, cleaned(body), trailers].filter((part) => part !== '').join('\n\n')
}

/** The numbers in the trailers of a message. */
export function numbersIn(message: string): number[] {
  const lines = message.matchAll(new RegExp(`^${trailer}: ([1-9]\\d{0,8})$`, 'gm'))
  return Array.from(lines, ([, number]) => Number(number))
}

function cleaned(text: string): string {
  return text.replaceAll(skipWords, '').replaceAll(skipTrailer, '').trim()
}
