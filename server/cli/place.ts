/** Options of the commands that work on a data folder. The server may be running or stopped. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { Pool } from 'pg'
import { helpfulWords } from '../git/git.ts'
import { FolderInUse, takeLock } from '../files/lock.ts'
import { isLocal, localPath } from '../identity/queue-ref.ts'
import { changeSetting, readSetting, type SharedSetting } from '../postgres/shared-setting.ts'
import { shownUrl, StoreFault } from '../postgres/store-fault.ts'
import { dataFolder, segmentsIn, type DataFolder, makeDataFolder } from '../store/data-folder.ts'
import { askGit } from '../terminal/ask-git.ts'
import { BadInput, BadLines } from '../terminal/bad-input.ts'
import {
  startFolder,
  type CliContext,
  type Main,
  commandOf,
  exitCodes,
  withPlainErrors,
} from '../terminal/command.ts'
import { badUsage, type OptionTable, type ParsedOptions, type Usage } from '../terminal/options.ts'
import { helpfulMessage, homeIn, kindAt, refuseUnreadable } from '../terminal/files.ts'
import { writeAll, writeText } from '../terminal/output.ts'
import { joinedLines } from '../terminal/text.ts'

export const dataOption = {
  'data <folder>': {
    help: 'data folder of the server; where git sees ./data, the default is one in ~/.local/state/mergeyard',
    default: './data',
    variable: 'MERGEYARD_DATA',
  },
} as const satisfies OptionTable

export const jsonOption = {
  json: 'print JSON',
} as const satisfies OptionTable

/** What a command answers: a document for programs, and a text for people. */
export type Answer = {
  readonly document: unknown
  readonly text: string
  /** By default success. */
  readonly code?: number
  /** What is said besides, on standard error; a program does not read it. */
  readonly aside?: string
}

/** A command that answers: with `--json` as JSON. */
export function answering<Table extends OptionTable>(
  usage: Usage<Table>,
  answer: (
    parsed: ParsedOptions<Table & typeof jsonOption>,
    context: CliContext,
  ) => Promise<Answer>,
): Main {
  const table = { ...usage.table, ...jsonOption }
  return commandOf({ ...usage, table }, async (parsed, context) => {
    const { document, text, code = exitCodes.success, aside = '' } = await answer(parsed, context)
    const isJson = parsed.given.includes('json')
    if (isJson) await writeAll(context.stdout, [`${JSON.stringify(document)}\n`])
    else await writeText(context.stdout, text)
    if (!isJson) await writeAll(context.stderr, [aside])
    return code
  })
}

type ParsedData = Pick<ParsedOptions<typeof dataOption>, 'value' | 'isGiven'>

/**
 * The path of the data folder: what the option says, else `./data`. In a work tree of git that would be committed,
 * cleaned or checked out, and tests in it would find the packages of the work tree. So there, and where `./data` is a
 * folder of something else, it is one of the user's that belongs to the clone, unless an older version has used `./data`. It is not in the git directory:
 * Jest finds no tests below a folder `.git`. Throws `BadLines` for a folder of another user.
 */
export function dataPathOf(parsed: ParsedData, env: NodeJS.ProcessEnv): string {
  const path = namedDataPath(parsed, env)
  refuseUnreadable(path)
  return path
}

function namedDataPath(parsed: ParsedData, env: NodeJS.ProcessEnv): string {
  const here = startFolder(env)
  const path = resolve(here, parsed.value('data'))
  if (parsed.isGiven('data') || isUsed(path)) return path
  if (!isSeenByGit(path) && !holdsOther(path)) return path
  const clone = gitFolderAround(here) ?? here
  const digits = createHash('sha256').update(clone).digest('hex').slice(0, 8)
  return join(stateIn(env), 'mergeyard', `${basename(dirname(clone))}-${digits}`)
}

/** A place that is no path from the root would be in the work tree, so it is none. Throws `BadLines` if there is no other. */
function stateIn(env: NodeJS.ProcessEnv): string {
  const named = env['XDG_STATE_HOME'] ?? ''
  if (isAbsolute(named)) return named
  const home = homeIn(env)
  if (home !== null) return join(home, '.local', 'state')
  throw new BadLines(['this user has no home: name the data folder with --data, or a home in HOME'])
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

/** Whether it holds something, and nothing of a server: `data` is the name of many a folder of a project. */
function holdsOther(path: string): boolean {
  if (kindAt(path) !== 'folder') return false
  refuseUnreadable(path)
  const own = new Set(Object.values(dataFolder(path)).map((each) => basename(each)))
  const names = readdirSync(path)
  return names.length > 0 && !names.some((name) => own.has(name))
}

export function folderOf(parsed: ParsedData, env: NodeJS.ProcessEnv): DataFolder {
  return dataFolder(dataPathOf(parsed, env))
}

/** The operands as paths, relative to the folder in which the command was typed. Throws `BadLines` as above. */
export function pathsOf(
  { operands }: Pick<ParsedOptions<OptionTable>, 'operands'>,
  env: NodeJS.ProcessEnv,
): string[] {
  const paths = operands.map((each) => resolve(startFolder(env), each))
  for (const path of paths) refuseUnreadable(path)
  return paths
}

// The clone of a repository in which a command is typed: what git says about it.

/** Null: git failed, or there is no git. */
export function gitIn(folder: string, ...args: readonly string[]): string | null {
  const { status, stdout } = askGit(folder, args)
  return status === 0 ? stdout.trim() : null
}

/**
 * The top of the work tree around a folder; null: it is in none. Throws `BadLines` for one that git does not read, such as
 * that of another user: without words the folder would look as if there was none.
 */
export function topAround(folder: string): string | null {
  const { status, stdout, stderr, error } = askGit(folder, ['rev-parse', '--show-toplevel'])
  if (error) throw new BadLines([`git cannot be started: ${helpfulMessage(error)}`])
  if (status === 0) return stdout.trim()
  if (!hasClone(folder)) return null
  throw new BadLines([helpfulWords(stderr) ?? `git cannot read ${folder}: ${joinedLines(stderr)}`])
}

function hasClone(folder: string): boolean {
  const above = dirname(folder)
  return existsSync(join(folder, '.git')) || (above !== folder && hasClone(above))
}

/** The git directory of the clone that has the folder in one of its work trees; null: it is in none. */
function gitFolderAround(folder: string): string | null {
  const [isInside, path] = (
    gitIn(folder, 'rev-parse', '--is-inside-work-tree', '--git-common-dir') ?? ''
  ).split('\n')
  return isInside === 'true' && path !== undefined ? resolve(folder, path) : null
}

/** True if git would add what is in that folder to a commit. The folder need not exist. */
function isSeenByGit(path: string): boolean {
  const folder = existing(path)
  if (gitFolderAround(folder) === null) return false
  // A pattern for folders says nothing about one that does not exist yet.
  return gitIn(folder, 'check-ignore', '--quiet', join(path, 'lock')) === null
}

/** The folder itself, or the nearest above it that is there. */
export function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder))
}

/** Where `init` writes the settings, and `serve` finds them: the top of the work tree, else the folder itself. */
export function settingsPath(folder: string): string {
  return join(gitIn(folder, 'rev-parse', '--show-toplevel') ?? folder, settingsName)
}

export const settingsName = 'mergeyard.json'

/** The path or address of a remote of the clone around the folder; null: there is none of that name. Throws as `topAround`. */
export function addressOfRemote(folder: string, name: string): string | null {
  const top = topAround(folder)
  const address = gitIn(folder, 'remote', 'get-url', name)
  if (address === null || !isLocal(address)) return address
  return localPath(address, top ?? folder)
}

/** A path, else a remote, which git prefers the other way around: `origin` is rarely a path. Null: neither. */
export function placeNamed(written: string, folder: string): string | null {
  const path = localPath(written, folder)
  return existsSync(path) ? path : addressOfRemote(folder, written)
}

// Where the settings of a server are: in its data folder, or in the PostgreSQL that servers share.

export const keptExitCodes =
  'Exit codes: 0 done, 1 the data folder cannot be used, 2 wrong arguments or a store that cannot be used.\n'

export const whereOptions = {
  ...dataOption,
  'store <address>': {
    help: 'the PostgreSQL of servers that share one, instead of --data',
    variable: 'MERGEYARD_STORE',
  },
} as const satisfies OptionTable

export type Where = Pick<ParsedOptions<typeof whereOptions>, 'value' | 'text' | 'isGiven' | 'fault'>

/** The address of the store; null: the data folder. Throws `BadInput` if an option about a data folder is given too. */
export function storeIn<Name extends string>(
  parsed: Pick<Where, 'text' | 'fault'> & { readonly isGiven: (name: Name) => boolean },
  ...ofFolder: readonly Name[]
): string | null {
  const store = parsed.text('store')
  const given = store === null ? undefined : ofFolder.find((name) => parsed.isGiven(name))
  if (given === undefined) return store
  throw parsed.fault('store', `no --${given}: it is about a data folder`)
}

export async function withStore<T>(store: string, use: (pool: Pool) => Promise<T>): Promise<T> {
  // Most commands have a data folder, and start without the driver.
  const { connect } = await import('../postgres/connect.ts')
  const pool = await connect(store)
  try {
    return await use(pool)
  } finally {
    await pool.end()
  }
}

/** The folder of a server that has run, and the number of its segments. Throws `BadInput` for any other. */
export function recordedIn(command: string, path: string) {
  const folder = dataFolder(path)
  const segments = existsSync(folder.log) ? segmentsIn(folder).length : 0
  if (segments > 0) return { folder, segments }
  const expected = 'the data folder of a server, with a command log in it'
  throw new BadInput(command, [{ where: path, expected, actual: 'none' }])
}

/** A list that is a file of the data folder, or a setting of the store. */
type Kept<Item> = {
  readonly file: (folder: DataFolder) => string
  readonly read: (file: string) => readonly Item[]
  readonly write: (file: string, items: readonly Item[]) => Promise<void>
  readonly shared: SharedSetting<Item>
}

/** The list where the options say. Throws `BadInput` for contradicting options. */
export function keptList<Item>(parsed: Where, env: NodeJS.ProcessEnv, kept: Kept<Item>) {
  const { shared, write } = kept
  const store = storeIn(parsed, 'data')
  const folder = folderOf(parsed, env)
  const file = kept.file(folder)
  /** Throws `BadLines` where there is no folder: an empty list would hide that its name is misspelled. */
  const refuseMissing = (): void => {
    if (store !== null || kindAt(folder.path) === 'folder') return
    throw new BadLines([
      `there is no data folder ${folder.path}: name that of a server with --data`,
    ])
  }
  const changed = (edit: (items: readonly Item[]) => readonly Item[]): Promise<void> =>
    store === null
      ? withFolderLock(folder, () => write(file, edit(kept.read(file))))
      : withStore(store, (pool) => changeSetting(pool, shared, edit))
  return {
    /** Says where it is, without a password. */
    get place() {
      return store === null ? file : shownUrl(store)
    },
    read: async (): Promise<readonly Item[]> => {
      refuseMissing()
      return store === null
        ? kept.read(file)
        : withStore(store, (pool) => readSetting(pool, shared))
    },
    /** Adds one, also before the first start. */
    add: (item: Item): Promise<void> => changed((items) => [...items, item]),
    /** Changes it while no other command does. A running server follows within a second or two. */
    change: async (edit: (items: readonly Item[]) => readonly Item[]): Promise<void> => {
      refuseMissing()
      await changed(edit)
    },
  }
}

// A lock for changes to the files of a data folder by several administrators.

/**
 * Runs `work` while no other command changes the files of the folder. Creates the folder if it is
 * missing. The server does not use this lock. Throws if another command holds it.
 */
async function withFolderLock(folder: DataFolder, work: () => Promise<void>): Promise<void> {
  makeDataFolder(folder)
  const unlock = lockOf(folder)
  try {
    await work()
  } finally {
    unlock()
  }
}

function lockOf({ path }: DataFolder): () => void {
  try {
    return takeLock(join(path, 'admin.lock'))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new Error('another command is changing this folder now; try again', { cause: error })
  }
}

// Finds the item with a given id, beginning of an id, or name.

/** Throws `BadInput` if no item or several items match the operand of the command. */
export function findByIdOrName<Item extends { readonly id: string }>(
  command: string,
  [text = '']: readonly string[],
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item {
  const faultOf = (expected: string): BadInput => badUsage(command, `"${text}"`, expected)
  const found = items.filter((item) => item.id.startsWith(text) || nameOf(item) === text)
  const [only, ...others] = text === '' ? [] : found
  if (!only) throw faultOf('an id, name or URL that list shows')
  if (others.length > 0) throw faultOf(`a longer part of the id, because ${found.length} match`)
  return only
}

/** The ids as a list shows them: in a terminal their beginnings, which tell each from the others. */
export function shownIds(
  items: readonly { readonly id: string }[],
  width: number | null,
): string[] {
  if (width === null) return items.map(({ id }) => id)
  const cutAt = (length: number): string[] => items.map(({ id }) => id.slice(0, length))
  const lengths = [8, 13, 18]
  return cutAt(lengths.find((length) => new Set(cutAt(length)).size === items.length) ?? Infinity)
}

/** Prints errors in one line. A store that cannot be used is bad input. */
export function withStoreFaults(main: Main): Main {
  return withPlainErrors(async (args, context) => {
    try {
      return await main(args, context)
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error
      await writeAll(context.stderr, [`mergeyard: ${error.message}\n`])
      return exitCodes.badInput
    }
  })
}
