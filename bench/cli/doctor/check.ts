/** One line of `mergeyard doctor`. */

import { withoutCredentials } from '../../../server/git/git.ts'

export type Check = {
  readonly what: string
  readonly isOk: boolean
  /** Good to know, but nothing is missing. */
  readonly isNote?: true
  /** What was found, or what to do. */
  readonly words: string
}

/** A check that throws is a fault, and its message says what is wrong. */
export async function checked(what: string, find: () => Promise<string> | string): Promise<Check> {
  try {
    return { what, isOk: true, words: await find() }
  } catch (error) {
    const words = withoutCredentials(error instanceof Error ? error.message : String(error))
    return { what, isOk: false, words: words.split('\n').join(' ') }
  }
}
