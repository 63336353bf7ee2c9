/** Writes a backup of a data folder as a tar file. A server may be running on the folder. */

import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { ownerOnly, replaceFile, syncFolder } from '../files/replace-file.ts'
import type { DataFolder } from '../store/data-folder.ts'
import type { MarkedEnd } from '../store/end-marker.ts'
import { consistentFiles, type PartOfFolder } from './consistent-files.ts'
import {
  manifestFormat,
  manifestName,
  manifestVersion,
  type BackedUpFile,
  type Manifest,
} from './manifest.ts'

export type Backup = {
  readonly createdAt: string
  readonly end: MarkedEnd
  readonly files: number
  /** The length of the tar file. */
  readonly bytes: number
}

/**
 * Writes the backup and notes it in the folder (`backup.json`). The file appears only when it is
 * complete and on disk. Throws if it exists already.
 */
export async function backUp(folder: DataFolder, to: string, now: Date): Promise<Backup> {
  if (existsSync(to)) throw new Error(`${to} exists already`)
  const draft = `${to}.${process.pid}.tmp`
  const { end, parts } = await consistentFiles(folder)
  const archive = pack()
  try {
    const written = pipeline(archive, createWriteStream(draft, { mode: ownerOnly, flags: 'wx' }))
    // If the disk is full, the entries below wait for ever; so both are awaited together.
    const filled = fill(archive, parts, { createdAt: now.toISOString(), end })
    const [files] = await Promise.all([filled, written])
    await syncFile(draft)
    await rename(draft, to)
    await syncFolder(dirname(to))
    const backup = { createdAt: now.toISOString(), end, files, bytes: (await stat(to)).size }
    await replaceFile(folder.backup, [`${JSON.stringify(backup)}\n`])
    return backup
  } catch (error) {
    archive.destroy()
    await rm(draft, { force: true })
    throw error
  }
}

/** Returns the number of files. */
async function fill(
  archive: Pack,
  parts: AsyncIterable<PartOfFolder>,
  about: Pick<Manifest, 'createdAt' | 'end'>,
): Promise<number> {
  const files: BackedUpFile[] = []
  for await (const part of parts) files.push(await add(archive, part))
  const manifest: Manifest = {
    backup: manifestFormat,
    version: manifestVersion,
    ...about,
    files,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await addText(archive, manifestName, text)
  archive.finalize()
  return files.length
}

async function add(archive: Pack, part: PartOfFolder): Promise<BackedUpFile> {
  const { name, from, bytes, mtime } = part
  const hash = createHash('sha256')
  if (typeof from === 'string') {
    await addText(archive, name, from)
    hash.update(from)
  } else if (bytes === 0) {
    await from.close()
    await addText(archive, name, '')
  } else {
    const seen = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    const entry = archive.entry({ name, size: bytes, mode: ownerOnly, mtime })
    await pipeline(readUpTo(from, bytes), seen, entry)
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

function readUpTo(from: FileHandle, bytes: number): NodeJS.ReadableStream {
  return from.createReadStream({ start: 0, end: bytes - 1 })
}

function addText(archive: Pack, name: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ name, mode: ownerOnly }, text, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
