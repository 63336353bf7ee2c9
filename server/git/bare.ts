/**
 * The folder of a mirror. Only objects and the refs of the server are believed in it: a test command runs as
 * the same user, and what it writes there must neither run a program nor decide what git does.
 */

import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const files = {
  // A branch that is never there: some versions of git would read attributes from it.
  HEAD: 'ref: refs/heads/none\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
} as const

const kept: ReadonlySet<string> = new Set(['HEAD', 'config', 'objects', 'refs', 'packed-refs'])

/** Makes a bare repository, or makes it again what it was: settings, hooks and attributes of others go. */
export function makeSound(folder: string): void {
  makeFolder(folder)
  for (const name of readdirSync(folder)) {
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    if (isFile(path) && readFileSync(path, 'utf8') === text) continue
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, text)
  }
  for (const name of ['objects', 'refs']) makeFolder(join(folder, name))
  // Alternates, and graphs of commits.
  rmSync(join(folder, 'objects/info'), { recursive: true, force: true })
  for (const name of readdirSync(join(folder, 'refs'))) {
    if (name !== 'mergeyard') rmSync(join(folder, 'refs', name), { recursive: true, force: true })
  }
}

/** A lock of a killed process would stop every later change. */
export function removeLocks(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) rmSync(join(folder, name), { force: true })
  }
}

/** A link is removed and not followed. */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  rmSync(path, { force: true })
  mkdirSync(path, { recursive: true })
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
