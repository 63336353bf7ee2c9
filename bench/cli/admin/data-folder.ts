/** Options of the commands that work on a data folder. The server may be running or stopped. */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { dataFolder, segmentsIn, type DataFolder } from '../../../server/store/data-folder.ts'
import { startFolder } from '../../../terminal/command.ts'
import type { OptionTable, ParsedOptions } from '../../../terminal/options.ts'
import { gitFolderAround, isSeenByGit } from './clone.ts'

export const dataOption = {
  data: {
    kind: 'value',
    value: 'folder',
    help: 'data folder of the server; where git sees ./data, the default is one in ~/.local/state/mergeyard',
    default: './data',
    variable: 'MERGEYARD_DATA',
  },
} as const satisfies OptionTable

export const jsonOption = {
  json: { kind: 'flag', help: 'print JSON' },
} as const satisfies OptionTable

type ParsedData = Pick<ParsedOptions<typeof dataOption>, 'value' | 'isGiven'>

/**
 * The path of the data folder: what the option says, else `./data`. In a work tree of git that would be committed,
 * cleaned or checked out, and tests in it would find the packages of the work tree. So there it is a folder of the
 * user's that belongs to the clone, unless an older version has used `./data`. It is not in the git directory:
 * Jest finds no tests below a folder `.git`.
 */
export function dataPathOf(parsed: ParsedData, env: NodeJS.ProcessEnv): string {
  const here = startFolder(env)
  const path = resolve(here, parsed.value('data'))
  if (parsed.isGiven('data') || isUsed(path) || !isSeenByGit(path)) return path
  const clone = gitFolderAround(here) ?? here
  const state = env['XDG_STATE_HOME'] ?? ''
  const folder = state === '' ? join(env['HOME'] ?? homedir(), '.local', 'state') : state
  const digits = createHash('sha256').update(clone).digest('hex').slice(0, 8)
  return resolve(folder, 'mergeyard', `${basename(dirname(clone))}-${digits}`)
}

/** The same for a server, which makes the folder. Throws `BadInput` for a new one that git would commit. */
export function ownDataPath(
  parsed: ParsedData & Pick<ParsedOptions<typeof dataOption>, 'fault'>,
  env: NodeJS.ProcessEnv,
): string {
  const path = dataPathOf(parsed, env)
  if (!parsed.isGiven('data') || isUsed(path) || !isSeenByGit(path)) return path
  throw parsed.fault(
    'data',
    'a folder outside of the work tree, or one that git ignores: git would commit its tokens, and a checkout delete its log',
  )
}

function isUsed(path: string): boolean {
  const folder = dataFolder(path)
  return existsSync(folder.log) && segmentsIn(folder).length > 0
}

export function folderOf(parsed: ParsedData, env: NodeJS.ProcessEnv): DataFolder {
  return dataFolder(dataPathOf(parsed, env))
}

/** The operands as paths, relative to the folder in which the command was typed. */
export function pathsOf(
  { operands }: Pick<ParsedOptions<OptionTable>, 'operands'>,
  env: NodeJS.ProcessEnv,
): string[] {
  return operands.map((each) => resolve(startFolder(env), each))
}
