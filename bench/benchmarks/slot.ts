/**
 * The time until a commit can be tested in a slot that was used before, compared with two other ways: git checks it
 * out and cleans in the same work tree, as the slots once did, which trusts what the last run has left; and a fresh
 * clone. The last run has written files and changed one; each commit differs from the one before in a few files.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { git, type Oid } from '../../server/git/git.ts'
import { Slot } from '../../server/runner/slot.ts'
import {
  type Benchmark,
  type Effort,
  type Figure,
  type Target,
  atMost,
  measured,
  ratioOf,
  spreadOf,
  target,
} from './measurement.ts'

type Size = { readonly files: number; readonly rounds: number }

const full: readonly Size[] = [
  { files: 10_000, rounds: 5 },
  { files: 100_000, rounds: 3 },
]
const quick: readonly Size[] = [{ files: 300, rounds: 1 }]

const changedFiles = 10
const writtenFiles = 100
const filesInFolder = 20
const bytesOfFile = 2_000
const commits = 4
const nsPerMs = 1e6

const inPlace = 'checkout and clean'
const ways = ['slot', 'slot, written anew', inPlace, 'fresh clone'] as const
type Way = (typeof ways)[number]

/** Milliseconds, one for each round. */
type Found = Record<Way, number[]>

export const slot: Benchmark = {
  name: 'slot',
  title: 'a commit in a used slot, compared with checkout and clean, and with a fresh clone',
  async measure(effort) {
    const figures: Figure[] = []
    const targets: Target[] = []
    for (const size of effort.isQuick ? quick : full) {
      const found = await timesOf(size, effort)
      figures.push(...figuresOf(size, found))
      targets.push(targetOf(size, found))
    }
    return measured({
      figures,
      targets,
      notes: [
        `files of ${bytesOfFile.toLocaleString('en')} bytes; a commit changes ${changedFiles}, a run writes ${writtenFiles} and changes one`,
        'written anew: nothing is taken over from the last run, as after a restart of the server',
      ],
    })
  },
}

async function timesOf({ files, rounds }: Size, effort: Effort): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-slots-'))
  try {
    effort.progress(`${files.toLocaleString('en')} files: writing the repository`)
    const mirror = join(folder, 'mirror')
    const oids = await makeRepository(mirror, files)
    const found: Found = { slot: [], 'slot, written anew': [], [inPlace]: [], 'fresh clone': [] }
    const places = ways.map((way, index) => placeOf(way, join(folder, String(index)), mirror))
    for (let round = -1; round < rounds && !effort.signal.aborted; round++) {
      effort.progress(`${files.toLocaleString('en')} files: round ${round + 1} of ${rounds}`)
      const commit = oids.at(round % oids.length) ?? ''
      for (const { way, tree, prepare } of round % 2 === 0 ? places : places.toReversed()) {
        const ms = await msOf(() => prepare(commit))
        found[way].push(...(round < 0 ? [] : [ms]))
        runTests(tree)
      }
    }
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

type Place = {
  readonly way: Way
  readonly tree: string
  readonly prepare: (commit: Oid) => Promise<void>
}

function placeOf(way: Way, path: string, mirror: string): Place {
  if (way === 'slot' || way === 'slot, written anew') {
    const fewestCarried = way === 'slot' ? 0 : Infinity
    const options = { mirror, keep: [], setupWhen: [], setup: null, fewestCarried }
    const used = new Slot(path, options)
    return { way, tree: used.folder, prepare: (commit) => used.reset(commit) }
  }
  const clone = async (): Promise<void> => {
    rmSync(path, { recursive: true, force: true })
    await git(['clone', '--quiet', '--shared', '--no-checkout', mirror, path])
  }
  const prepare = async (commit: Oid): Promise<void> => {
    if (way === 'fresh clone' || !existsSync(path)) await clone()
    await git(['-C', path, 'checkout', '--quiet', '--force', '--detach', commit])
    if (way === inPlace) await git(['-C', path, 'clean', '-ffdxq'])
  }
  return { way, tree: path, prepare }
}

/** What a run leaves. */
function runTests(tree: string): void {
  mkdirSync(join(tree, 'build'), { recursive: true })
  for (let each = 0; each < writtenFiles; each++) {
    writeFileSync(join(tree, 'build', `${each}.o`), 'built\n')
  }
  writeFileSync(join(tree, pathOf(changedFiles)), 'changed by a run\n')
}

function pathOf(file: number): string {
  const folder = Math.floor(file / filesInFolder)
  return `room-${Math.floor(folder / filesInFolder)}/folder-${folder}/file-${file}.txt`
}

/** Makes a bare repository, and returns its commits, each one on top of the one before. */
async function makeRepository(path: string, files: number): Promise<Oid[]> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', path])
  const importer = spawn('git', ['--git-dir', path, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(importer, 'close')
  await pipeline(Readable.from(streamOf(files)), importer.stdin)
  await ended
  const log = await git(['--git-dir', path, 'rev-list', '--reverse', 'main'])
  return log.trim().split('\n')
}

function* streamOf(files: number): Generator<string> {
  for (let commit = 0; commit < commits; commit++) {
    const at = `Ada <ada@example.com> ${1_767_603_600 + commit} +0000`
    yield `commit refs/heads/main\ncommitter ${at}\ndata 6\nchange\n`
    const count = commit === 0 ? files : changedFiles
    for (let file = 0; file < count; file++) {
      const text = `${commit} ${file} `.padEnd(bytesOfFile, `${file % 977} `)
      yield `M 100644 inline ${pathOf(file)}\ndata ${text.length}\n${text}\n`
    }
    yield '\n'
  }
}

/** Each beside checkout and clean: what it costs that only the content decides. */
function figuresOf({ files }: Size, found: Found): Figure[] {
  const to = nameOf(inPlace, files)
  return ways.map((way) => ({
    name: nameOf(way, files),
    unit: 'ns',
    value: spreadOf(found[way].map((ms) => ms * nsPerMs)),
    ...(way === inPlace ? {} : { ratio: { to, value: ratioOf(found[way], found[inPlace]) } }),
  }))
}

/** A slot that is slower than a clone would be needless. */
function targetOf({ files }: Size, found: Found): Target {
  const ratio = ratioOf(found.slot, found['fresh clone'])
  return target(`${nameOf('slot', files)}, time to a fresh clone`, 'times', ratio, atMost(1))
}

function nameOf(way: Way, files: number): string {
  return `${way}, ${files.toLocaleString('en')} files`
}
