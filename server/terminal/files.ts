/** Files that a command writes for its user: each is there as a whole, or as it was before. */

import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  readFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { BadInput, BadLines } from './bad-input.ts'
import { codeOf, messageOf } from './text.ts'

/**
 * Writes the texts in order, beside the file and then in its place: a full disk and Ctrl-C leave no half of it. What
 * is no file, for example /dev/stdout, is written to as it is. Throws the error of the file system. `replaceFile` is for
 * data of the server: it syncs, and makes files that only the owner can read.
 */
export function writeResultFile(path: string, texts: Iterable<string>): void {
  const known = existsSync(path) ? statSync(path) : null
  if (known && !known.isFile()) {
    writeTexts(path, texts)
    return
  }
  // A link stays one.
  const place = known ? realpathSync(path) : path
  const draft = join(dirname(place), `.mergeyard-${process.pid}.tmp`)
  try {
    writeTexts(draft, texts)
    if (known) chmodSync(draft, known.mode)
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Small texts are collected into pieces of this length, because few large writes are faster. */
const pieceLength = 1_000_000

/** In pieces, because a result may exceed the maximum length of a string. */
function writeTexts(path: string, texts: Iterable<string>): void {
  const file = openSync(path, 'w')
  try {
    let piece = ''
    for (const text of texts) {
      piece += text
      if (piece.length < pieceLength) continue
      writeFileSync(file, piece)
      piece = ''
    }
    writeFileSync(file, piece)
  } finally {
    closeSync(file)
  }
}

/**
 * Makes a folder, and those above it that are missing. Throws the error of the file system. Node's own way never ends
 * where the folder above is there and takes none, as in /proc.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it at this moment.
    if (!existsSync(path)) throw error
  }
}

/** The home of the user; null: there is none, as for a user of a container who has only a number. */
export function homeIn(env: NodeJS.ProcessEnv): string | null {
  const named = env['HOME'] ?? ''
  if (isAbsolute(named)) return named
  try {
    return userInfo().homedir
  } catch {
    return null
  }
}

/** What the file system says of a place that is another user's. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error))
}

/**
 * What a command says of an error that nobody expected: the words of the system name the place, and not what to
 * do about it.
 */
export function helpfulMessage(error: Error): string {
  const [, program] = /^spawn(?:Sync)? (\S+) ENOENT$/.exec(error.message) ?? []
  if (program === undefined) return error.message + remedyFor(error)
  return `this machine has no ${program}: install it, or put its folder on the PATH`
}

/** Begins with a colon; empty where nothing helps in general. */
function remedyFor(error: unknown): string {
  const code = codeOf(error)
  const remedy = isForbidden(error) ? 'run as the user to whom it belongs, or ' : remedies[code]
  return remedy === undefined ? '' : `: ${remedy}name another place`
}

/** What else helps than another place, by the code of the error. */
const remedies: Readonly<Record<string, string>> = {
  EISDIR: '',
  ENAMETOOLONG: '',
  ENOSPC: 'make room, or ',
  ENOTDIR: '',
  EROFS: '',
}

/** Throws `BadLines` for a folder of another user: to a command it would look like an empty one. */
export function refuseUnreadable(folder: string): void {
  try {
    readdirSync(folder)
    statSync(`${folder}/.`)
  } catch (error) {
    if (!isForbidden(error)) return
    throw new BadLines([
      `${folder}: this user may not read it: run the command as the user to whom it belongs, or name another folder`,
    ])
  }
}

/** Works in a new folder, which is removed at the end unless it is kept. */
export async function inScratch<Result>(
  command: string,
  work: (folder: string) => Promise<Result>,
  isKept = false,
): Promise<Result> {
  const folder = scratch(command)
  try {
    return await work(folder)
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws `BadLines` where none can be made. */
function scratch(command: string): string {
  try {
    return mkdtempSync(join(tmpdir(), `mergeyard-${command}-`))
  } catch (error) {
    const why = `no folder can be made in ${tmpdir()}: ${messageOf(error)}`
    throw new BadLines([`${command}: ${why}: make room there, or name another place in TMPDIR`])
  }
}

// Reads what a person has named.

/** What is at the path. Null also if nobody can tell: who reads it is told why. */
export function kindAt(path: string): 'file' | 'folder' | null {
  try {
    const stat = statSync(path)
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : null
  } catch {
    return null
  }
}

/** Null: there is no such file, or this user may not read it. */
export function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Returns the bytes of a file; faults call it `name`. Throws `BadInput` if it cannot be read. */
export function readBytes(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** Throws `BadInput` if it is no file that can be opened; faults call it `name`. */
export function refuseUnreadableFile(path: string, name: string): void {
  try {
    closeSync(openSync(path, 'r'))
    if (kindAt(path) === 'folder') throw new Error('a folder')
  } catch (error) {
    throw unreadable(name, error)
  }
}

function unreadable(name: string, error: unknown): BadInput {
  const expected = 'a file that can be read'
  return new BadInput(name, [{ where: 'file', expected, actual: obstacleIn(error) }])
}

/** `no such file or directory (ENOENT)`: what the file system says, without the place, which the fault has, and what helps. */
export function obstacleIn(error: unknown): string {
  const [, code, words] = /^([A-Z0-9]+): ([^,]+)/.exec(messageOf(error)) ?? []
  if (code === 'EISDIR') return 'a folder'
  return code === undefined ? messageOf(error) : `${words} (${code})${remedyFor(error)}`
}
