/**
 * What the queue adds to a test run on a repository of ten thousand files: making the commits of a long
 * chain, and everything around the test command. Compared with the same number of bare git merges, and
 * with the command alone.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CardToCommit } from '../../server/git/card.ts'
import { git, type Oid } from '../../server/git/git.ts'
import { openMirror, type Mirror } from '../../server/git/mirror.ts'
import { mergedTree } from '../../server/git/objects.ts'
import { CommandRunner } from '../../server/runner/command-runner.ts'
import { noReports } from '../../server/runner/verdict.ts'
import { atMost, measured, target, type Benchmark, type Effort } from '../measuring/measurement.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'

const chainLength = 20
const nsPerMs = 1e6
/** A command of this length is the yardstick of the overhead. */
const commandMs = 10_000

export const repository: Benchmark = {
  name: 'repository',
  title: 'compositions and test runs on a repository of 10,000 files',
  async measure(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
    try {
      return await measureIn(folder, effort)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measureIn(folder: string, effort: Effort) {
  const { isQuick, signal, progress } = effort
  const [files, rounds] = isQuick ? [50, 1] : [10_000, 15]
  progress('making the repository')
  const { mirror, tip, heads } = await made(
    join(folder, 'origin.git'),
    join(folder, 'mirror'),
    files,
  )
  const runner = runnerOn(folder, mirror)
  const [chain, bare, runs, commands]: number[][] = [[], [], [], []]
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    progress(`round ${round + 1} of ${rounds}`)
    chain?.push(await timed(() => mirror.compose(tip, cardsOf(heads), 'squash')))
    bare?.push(await timed(() => mergeEach(mirror, tip, heads)))
    const run = { id: `run-${round}`, numbers: [1], base: tip, commit: heads[round % 2] ?? tip }
    runs?.push(await timed(() => runner.test(run)))
    commands?.push(await timed(() => Promise.resolve(spawnSync('/bin/sh', ['-c', 'true']))))
  }
  await runner.close()
  return reportOf({
    chain: chain ?? [],
    bare: bare ?? [],
    runs: runs ?? [],
    commands: commands ?? [],
  })
}

type Samples = Readonly<Record<'chain' | 'bare' | 'runs' | 'commands', readonly number[]>>

function reportOf({ chain, bare, runs, commands }: Samples) {
  const overhead = runs.map((ns, round) => (ns - (commands[round] ?? 0)) / (commandMs * nsPerMs))
  const merges = `${chainLength} bare merges`
  return measured({
    figures: [
      { name: merges, unit: 'ns', value: spreadOf(bare) },
      {
        name: `a chain of ${chainLength}`,
        unit: 'ns',
        value: spreadOf(chain),
        ratio: { to: merges, value: ratioOf(chain, bare) },
      },
      { name: 'a test run of the command true', unit: 'ns', value: spreadOf(runs) },
      { name: 'the command true alone', unit: 'ns', value: spreadOf(commands) },
    ],
    targets: [
      target(`a chain of ${chainLength}`, 'ns', spreadOf(chain), atMost(2_000 * nsPerMs)),
      target('around a command of 10 s', 'share', spreadOf(overhead), atMost(0.1)),
    ],
    notes: [
      'the work tree is kept between runs; each round tests another commit than the one before',
    ],
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) * nsPerMs
}

async function mergeEach(mirror: Mirror, tip: Oid, heads: readonly Oid[]): Promise<void> {
  for (const head of heads) await mergedTree(mirror.folder, tip, head)
}

function cardsOf(heads: readonly Oid[]): CardToCommit[] {
  const author = { name: 'Bench', email: 'bench@example.com' }
  return heads.map((head, index) => {
    const number = index + 1
    return { number, head, title: `Change ${number}`, body: '', author, at: 0 }
  })
}

type Made = { readonly mirror: Mirror; readonly tip: Oid; readonly heads: readonly Oid[] }

/** A repository with that many files in folders of a hundred, and twenty branches. */
async function made(origin: string, folder: string, files: number): Promise<Made> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', origin])
  const who = 'Bench <bench@example.com> 1767603600 +0000'
  const all = Array.from({ length: files }, (_, index) => fileAt(index, `file ${index}`))
  const begin = `commit refs/heads/main\nmark :1\nauthor ${who}\ncommitter ${who}\ndata 5\nBegin\n`
  const branches = Array.from({ length: chainLength }, (_, index) => {
    const head = `commit refs/pull/${index + 1}/head\nauthor ${who}\ncommitter ${who}\n`
    return `${head}data 6\nChange\nfrom :1\n${fileAt(index, `changed ${index}`)}\n`
  })
  const input = `${begin}${all.join('')}\n${branches.join('')}`
  await git(['--git-dir', origin, 'fast-import', '--quiet'], { input })
  const mirror = await openMirror(folder, origin)
  const refs = await mirror.look(['refs/heads/*', 'refs/pull/*/head'])
  const tip = refs.get('refs/heads/main') ?? ''
  const heads = Array.from({ length: chainLength }, (_, index) => {
    return refs.get(`refs/pull/${index + 1}/head`) ?? ''
  })
  await mirror.fetch([tip, ...heads])
  return { mirror, tip, heads }
}

function fileAt(index: number, text: string): string {
  const path = `folder-${Math.floor(index / 100)}/file-${index}.txt`
  return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`
}

function runnerOn(folder: string, mirror: Mirror): CommandRunner {
  return new CommandRunner({
    slots: join(folder, 'slots'),
    logs: join(folder, 'logs'),
    mirror: mirror.folder,
    command: 'true',
    setup: null,
    setupWhen: [],
    junit: [],
    keep: [],
    environment: [],
    readReports: noReports,
  })
}
