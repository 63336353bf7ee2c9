/** Writes a backup of a data folder as a tar file. A server may be running on the folder. */

import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, createReadStream, readdirSync, readFileSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat, mkdir, utimes } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack, extract, type Header } from 'tar-stream'
import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import { isErrno, ownerOnly, replaceFile, syncFolder, writeFault } from '../files/replace-file.ts'
import {
  type DataFolder,
  beginningFile,
  segmentFile,
  segmentsIn,
  dataFolder,
  makeDataFolder,
} from '../store/data-folder.ts'
import { isNotesName, notesFilesIn } from '../files/notes.ts'
import { type MarkedEnd, markerLine, readEndMarker } from '../store/end-marker.ts'
import { readSegmentFile } from '../store/segment.ts'
import { openStore } from '../store/store.ts'
import { faultsIn } from '../store/verify.ts'
import { kindAt } from '../terminal/files.ts'
import { errorOf, messageOf } from '../terminal/text.ts'

type Backup = {
  readonly createdAt: string
  readonly end: MarkedEnd
  readonly files: number
  /** The length of the tar file. */
  readonly bytes: number
}

/** `unnoted`: why the folder does not know of the backup; null: it does. */
type WrittenBackup = Backup & { readonly unnoted: string | null }

/** What helps on a full disk. */
const elsewhere = 'make room, or name another place'

/**
 * Writes the backup and notes it in the folder (`backup.json`). The file appears only when it is
 * complete and on disk. Throws if it exists already, or its folder does not exist.
 */
export async function backUp(folder: DataFolder, to: string, now: Date): Promise<WrittenBackup> {
  if (existsSync(to)) throw new Error(`${to} exists already: name another file`)
  if (kindAt(dirname(to)) !== 'folder')
    throw new Error(`${dirname(to)}: no such folder, make it first`)
  const draft = `${to}.${process.pid}.tmp`
  const { end, parts } = await consistentFiles(folder)
  const archive = pack()
  try {
    const written = pipeline(archive, createWriteStream(draft, { mode: ownerOnly, flags: 'wx' }))
    // If the disk is full, the entries below wait forever; so both are awaited together.
    const filled = fill(archive, parts, { createdAt: now.toISOString(), end })
    const [files] = await Promise.all([filled, written])
    await syncFile(draft)
    await rename(draft, to)
    await syncFolder(dirname(to))
    const backup = { createdAt: now.toISOString(), end, files, bytes: (await stat(to)).size }
    // A full or read-only disk of the folder is a reason for a backup, and no fault of it.
    const noted = replaceFile(folder.backup, [`${JSON.stringify(backup)}\n`])
    return { ...backup, unnoted: await noted.then(() => null, messageOf) }
  } catch (error) {
    archive.destroy()
    await rm(draft, { force: true })
    throw writeFault(to, error, elsewhere)
  }
}

/** When the newest backup of the folder was made; null: none was, or the note of it cannot be read. */
export function newestBackupAt({ backup }: DataFolder): Millis | null {
  try {
    const newest: Partial<Backup> = JSON.parse(readFileSync(backup, 'utf8'))
    const at = Date.parse(newest.createdAt ?? '')
    return Number.isNaN(at) ? null : at
  } catch {
    return null
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

// The files of a data folder at one instant, while a server writes it.
//
// The log is only appended to, and the end marker names what is acknowledged. So the order makes the
// instant: first everything that depends on the log, then the end, then the log up to this end.

type PartOfFolder = {
  readonly name: string
  /** Open until the part is copied; or the content itself. */
  readonly from: FileHandle | string
  readonly bytes: number
  readonly mtime: Date
}

type ConsistentFiles = {
  readonly end: MarkedEnd
  /** Each part must be copied, or its file closed, before the next is taken. */
  readonly parts: AsyncGenerator<PartOfFolder>
}

/** Throws if the folder has no log. */
async function consistentFiles(folder: DataFolder): Promise<ConsistentFiles> {
  const { snapshot, outbox, tokens, webhooks, demo } = folder
  const opened = []
  // An open file keeps its content if another takes its name.
  const notes = notesFilesIn(folder.path)
  for (const path of [snapshot, outbox, tokens, webhooks, demo, ...notes]) {
    if (existsSync(path)) opened.push(await partOf(folder, path))
  }
  const end = endOf(folder)
  return { end, parts: partsOf(folder, opened, end) }
}

async function* partsOf(
  folder: DataFolder,
  opened: readonly PartOfFolder[],
  end: MarkedEnd,
): AsyncGenerator<PartOfFolder> {
  yield* opened
  // Newest first: a running server removes old segments from the front.
  const segments = segmentsIn(folder).filter((segment) => segment <= end.segment)
  for (const segment of segments.toReversed()) {
    const part = await partOf(folder, segmentFile(folder, segment)).catch(nothingIfRemoved)
    if (part === null) break
    yield segment === end.segment ? { ...part, bytes: end.bytes } : part
    const beginning = await partOf(folder, beginningFile(folder, segment)).catch(nothingIfRemoved)
    if (beginning !== null) yield beginning
  }
  const from = markerLine(end)
  yield { name: nameIn(folder, folder.end), from, bytes: from.length, mtime: new Date() }
}

async function partOf(folder: DataFolder, path: string): Promise<PartOfFolder> {
  const from = await open(path)
  const { size: bytes, mtime } = await from.stat()
  return { name: nameIn(folder, path), from, bytes, mtime }
}

function nameIn({ path }: DataFolder, file: string): string {
  return relative(path, file).replaceAll(sep, '/')
}

function nothingIfRemoved(error: unknown): null {
  if (isErrno(error, 'ENOENT')) return null
  throw error
}

/** The end that was acknowledged; in a folder of version 1, the last whole line. */
function endOf(folder: DataFolder): MarkedEnd {
  const marked = readEndMarker(folder)
  if (marked) return marked
  const segment = existsSync(folder.log) ? segmentsIn(folder).at(-1) : undefined
  if (segment === undefined) throw new Error(`${folder.path} holds no command log`)
  const start = { segment, after: null, isLast: true }
  const read = readSegmentFile(segmentFile(folder, segment), start, () => undefined)
  return { segment, bytes: read.bytes, sequence: read.sequence ?? 0 }
}

/** The list of files in a backup, its last entry. A backup without it was cut short. */
const manifestName = 'manifest.json'
const manifestFormat = 'mergeyard backup'
const manifestVersion = 2

type BackedUpFile = {
  /** Relative to the data folder, with slashes. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export type Manifest = {
  readonly backup: string
  readonly version: number
  /** ISO 8601. */
  readonly createdAt: string
  /** The instant of the backup: everything up to here is in it, and nothing later. */
  readonly end: MarkedEnd
  readonly files: readonly BackedUpFile[]
}

/** The files of a data folder that a backup can hold. Everything else is refused. */
const known =
  /^(?:snapshot\.json|outbox\.jsonl|tokens\.json|webhooks\.json|demo|log\/(?:\d{8}\.jsonl|\d{8}\.begin\.json|end))$/

function isKnownFile(name: string): boolean {
  return known.test(name) || isNotesName(name)
}

/** Throws if the text is not the manifest of a backup that this version can read. */
function readManifest(text: string): Manifest {
  const found: Partial<Manifest> = JSON.parse(text)
  const { backup, version, createdAt, end, files } = found
  if (backup === manifestFormat && version !== undefined && version > manifestVersion) {
    throw new Error(`it is a backup of format ${version}, made by a newer Mergeyard; use that`)
  }
  if (backup === manifestFormat && version !== undefined && createdAt !== undefined) {
    if (end && files) return { backup, version, createdAt, end, files }
  }
  throw new Error(`its ${manifestName} is not that of a ${manifestFormat}`)
}

// Restores a backup into an empty folder, verifies it, and begins a new epoch.

/** A manifest is small; anything longer is not one. */
const mostManifestBytes = 64 << 20

/**
 * Restores the backup. Throws without a change if the folder is not empty; if anything else fails,
 * the folder is empty again.
 */
export async function restore(from: string, path: string, logger: Logger): Promise<Manifest> {
  if (kindAt(path) === 'folder' && readdirSync(path).length > 0) {
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

type TakeEntry = (header: Header, entry: Readable) => Promise<void>

/** Calls `take` with every entry as a stream of Node, one after another. */
async function eachEntry(from: string, take: TakeEntry): Promise<void> {
  const archive = extract()
  archive.on('entry', (header, entry, proceed) => {
    take(header, Readable.from(entry)).then(
      () => proceed(),
      (error: unknown) => proceed(errorOf(error)),
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
  { name, mtime }: Header,
  entry: Readable,
  { path }: DataFolder,
): Promise<void> {
  const to = join(path, name)
  await mkdir(dirname(to), { recursive: true })
  try {
    const file = await open(to, 'wx', ownerOnly)
    await pipeline(entry, file.createWriteStream({ flush: true }))
  } catch (error) {
    throw writeFault(to, error, elsewhere)
  }
  // Old segments are removed by the time of their last change.
  await utimes(to, mtime, mtime)
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
