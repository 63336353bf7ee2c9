/** The build of this program. Two machines give the same bytes only if their builds are the same. */

import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The folder of all compiled code. */
const compiled = new URL('../../', import.meta.url)

/** What can change a result: the engine, the simulator, and the models of other queues. */
const folders = ['engine/', 'server/terminal/', 'sim/', 'bench/']

/** The first of these that exists fixes the versions of the libraries. A package has no lock file. */
const lockFiles = ['package-lock.json', 'package.json']

const digits = 12

let known: string | null = null

/** Returns a hash of the compiled files, the libraries and V8, of which versions differ in `Math`. */
export function build(): string {
  known ??= computed()
  return known
}

function computed(): string {
  const hash = createHash('sha256').update(process.versions.v8)
  for (const folder of folders) addFolder(hash, new URL(folder, compiled))
  const lock = lockFiles.map((name) => new URL(`../${name}`, compiled)).find(existsSync)
  if (lock) hash.update(readFileSync(lock))
  return hash.digest('hex').slice(0, digits)
}

function addFolder(hash: Hash, folder: URL): void {
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() && entry.name !== 'testing') {
      addFolder(hash, new URL(`${entry.name}/`, folder))
    }
    if (!entry.isFile() || !isCode(entry.name)) continue
    hash.update(entry.name).update(readFileSync(new URL(entry.name, folder)))
  }
}

const isCode = (name: string): boolean => name.endsWith('.js') && !name.endsWith('.test.js')
