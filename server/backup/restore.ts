/** Restores a backup into an empty folder, verifies it, and begins a new epoch. */

import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, open, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { extract, type Headers } from 'tar-stream'
import { ownerOnly, replaceFile, syncFolder } from '../files/replace-file.ts'
import { dataFolder, makeDataFolder, type DataFolder } from '../store/data-folder.ts'
import { openStore } from '../store/store.ts'
import { faultsIn } from '../store/verify.ts'
import {
  isKnownFile,
  manifestName,
  readManifest,
  type BackedUpFile,
  type Manifest,
} from './back-up.ts'
import { messageOf } from '../terminal/text.ts'

/** A manifest is small; anything longer is not one. */
const mostManifestBytes = 64 << 20

/**
 * Restores the backup. Throws without a change if the folder is not empty; if anything else fails,
 * the folder is empty again.
 */
export async function restore(from: string, path: string, logger: Logger): Promise<Manifest> {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new Error(`${path} is not empty: restore into a new folder`)
  }
  const folder = dataFolder(path)
  const isNew = !existsSync(path)
  makeDataFolder(folder)
  try {
    await replaceFile(folder.restoring, [`${from}\n`])
    const manifest = await extractAll(from, folder).catch((error: unknown) => {
      const reason = messageOf(error)
      throw new Error(`${from} cannot be restored: ${reason}. ${path} was left empty`, {
        cause: error,
      })
    })
    const faults = await faultsIn(folder)
    if (faults.length > 0) throw new Error(`${from} holds damaged data: ${faults.join('; ')}`)
    await rm(folder.restoring)
    await beginEpoch(folder, logger)
    return manifest
  } catch (error) {
    for (const name of readdirSync(path)) await rm(join(path, name), { recursive: true })
    if (isNew) await rm(path, { recursive: true })
    throw error
  }
}

/** Ids of the hours after the backup are lost from here on. */
async function beginEpoch(folder: DataFolder, logger: Logger): Promise<void> {
  const store = await openStore(folder, {
    logger,
    keepDays: null,
    ports: { wakeAt: () => undefined },
    onFailure: () => undefined,
    isRestored: true,
  })
  await store.close()
}

/** Reads the whole backup before a file is written, so that a damaged one leaves nothing behind. */
async function extractAll(from: string, folder: DataFolder): Promise<Manifest> {
  const files: BackedUpFile[] = []
  let manifest: Manifest | null = null
  await eachEntry(from, async ({ name, type }, entry) => {
    if (type === 'file' && name === manifestName) manifest = readManifest(await textOf(entry))
    else if (type === 'file' && isKnownFile(name)) files.push(await hashOf(name, entry))
    else throw new Error(`it holds ${JSON.stringify(name)}, which no data folder has`)
  })
  const complete = compared(manifest, files)
  await eachEntry(from, async (header, entry) => {
    if (header.name !== manifestName) await write(header, entry, folder)
    else await hashOf(manifestName, entry)
  })
  await syncFolder(folder.log)
  await syncFolder(folder.path)
  return complete
}

type TakeEntry = (header: Headers, entry: Readable) => Promise<void>

/** Calls `take` with every entry, one after another. */
async function eachEntry(from: string, take: TakeEntry): Promise<void> {
  const archive = extract()
  archive.on('entry', (header, entry, proceed) => {
    take(header, entry).then(
      () => proceed(),
      (error: unknown) => proceed(error),
    )
  })
  await pipeline(createReadStream(from), archive)
}

function compared(manifest: Manifest | null, files: readonly BackedUpFile[]): Manifest {
  if (!manifest) throw new Error(`it is cut short: it does not end with ${manifestName}`)
  const found = new Map(files.map((file) => [file.name, file]))
  for (const { name, bytes, sha256 } of manifest.files) {
    const file = found.get(name)
    if (!file) throw new Error(`${name} is missing in it`)
    if (file.bytes === bytes && file.sha256 === sha256) continue
    throw new Error(`${name} is not what was backed up: expected SHA-256 ${sha256}`)
  }
  if (files.length === manifest.files.length) return manifest
  throw new Error('it holds files that its manifest does not list')
}

async function hashOf(name: string, entry: Readable): Promise<BackedUpFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of entry) {
    const part: Buffer = chunk
    hash.update(part)
    bytes += part.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

async function write(
  { name, mtime }: Headers,
  entry: Readable,
  { path }: DataFolder,
): Promise<void> {
  const to = join(path, name)
  await mkdir(dirname(to), { recursive: true })
  const file = await open(to, 'wx', ownerOnly)
  await pipeline(entry, file.createWriteStream({ flush: true }))
  // Old segments are removed by the time of their last change.
  if (mtime) await utimes(to, mtime, mtime)
}

async function textOf(entry: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of entry) {
    const part: Buffer = chunk
    bytes += part.length
    if (bytes > mostManifestBytes) throw new Error(`its ${manifestName} is too long`)
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString()
}
