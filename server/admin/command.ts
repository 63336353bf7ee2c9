/** What an administrator's command is. */

import type { DataFolder } from '../store/data-folder.ts'

/** What a person got wrong: said as it is, with exit code 2. */
export class BadCommand extends Error {}

/** Where a command speaks: what is asked for on standard output, all else on standard error. */
export type Voice = {
  readonly say: (text: string) => void
  readonly explain: (text: string) => void
}

export type Given = Voice & {
  readonly folder: DataFolder
  /** What stands behind the command's name; empty where nothing does. */
  readonly subject: string
  /** The value of an option; null where it was not given. */
  readonly option: (name: string) => string | null
  readonly json: boolean
}

export type Command = {
  /** What it is called: `token create`. */
  readonly name: string
  /** What has to stand behind the name, if anything. */
  readonly subject?: string
  /** Its options by name, with what their value is. */
  readonly options?: Readonly<Record<string, string>>
  readonly meaning: string
  readonly run: (given: Given) => Promise<void> | void
}

/** The one among them that a person means: by its id, the beginning of it, or another name. */
export function meant<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  text: string,
  nameOf: (thing: Thing) => string,
): Thing {
  const found = things.filter((thing) => thing.id.startsWith(text) || nameOf(thing) === text)
  const [only, ...others] = found
  if (only && others.length === 0 && text !== '') return only
  throw new BadCommand(
    only
      ? `"${text}" could be ${found.length} of them: give more of the id`
      : `there is no "${text}"`,
  )
}
