/**
 * The attack rehearsal. In each story a pull request leaves things behind in many ways; then a good one and a bad one
 * are composed and tested, with real git, and get the verdicts of a fresh clone. Two stories in a row play every
 * way once, in an order drawn by the seed. MERGEYARD_ATTACKS=n plays n stories with a namespace and n without.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SnapshotToCommit } from '../git/snapshot.ts'
import { git, type Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { begin, main, makeBare, write } from '../git/testing/commits.ts'
import { openMirror } from '../git/testing/open-mirror.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { hasBubblewrap } from './bubblewrap.ts'
import { CommandRunner, onlyCommand } from './command-runner.ts'
import { attackOf, ways, type Way } from './testing/ways.ts'
import { noReports } from './verdict.ts'

const dealtTo = 2
const stories = Number(process.env['MERGEYARD_ATTACKS'] ?? dealtTo)

const setup = 'mkdir -p node_modules; cp yarn.lock node_modules; cp check.sh node_modules'

/** Each file with its permissions and content, and what git says of the tree. */
const seen =
  'find . -name .git -prune -o ! -name . -printf "%P %y %m %l\\n" -type f -exec cat {} \\; | LC_ALL=C sort; git status --short --ignored; git log --format=%T; git describe --tags; git for-each-ref refs/tags refs/remotes/origin/main; git diff --stat origin/main...HEAD; git merge-base origin/main HEAD'

/** What only a slot has: its settings, and its home. */
const ofSlot = 'git config --list --local; ls .git; cd "$HOME"; ls -A; find tmp ! -type d'

const command = `if test -e attack.sh; then exec sh attack.sh; fi; ${seen}; (${ofSlot}); sh node_modules/check.sh && sh test.sh`

const files = {
  'a.txt': 'a\n',
  'below/b.txt': 'b\n',
  'below/c.txt': 'c\n',
  'ident.txt': '$Id$\n',
  '.gitattributes': 'ident.txt ident\n',
  'yarn.lock': '1\n',
  'check.sh': 'exit 0\n',
  'test.sh': 'exit 0\n',
}

const pulls = ['good', 'bad'] as const
type Pull = (typeof pulls)[number]
const snapshotOf = (pull: Pull, head: Oid): SnapshotToCommit => ({
  number: pulls.indexOf(pull) + 1,
  title: pull,
  body: '',
  head,
  at: begin * 1_000,
  author: { name: 'Ada', email: 'ada@example.com' },
})

const asAda = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'] as const

type Template = {
  readonly folder: string
  readonly tip: Oid
  readonly heads: Readonly<Record<Pull, Oid>>
  /** The commits of a mirror to which nobody has done anything. */
  readonly composed: Readonly<Record<Pull, Oid>>
  readonly logs: Readonly<Record<Pull, string>>
}

/** By a hash, so that the order is the same for a seed on every machine. */
function dealt(seed: number): Way[] {
  const round = Math.floor(seed / dealtTo)
  const keyOf = ({ name }: Way): string =>
    createHash('sha256').update(`${round} ${name}`).digest('hex')
  const drawn = ways
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .filter((_, index) => index % dealtTo === seed % dealtTo)
  return drawn.toSorted((one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false))
}

/** An upstream, the data folder of a server, a slot of a neighbour, and a folder of the user. */
async function makeTemplate(folder: string): Promise<Template> {
  const upstream = join(folder, 'upstream.git')
  makeBare(upstream)
  const [tip = '', good = '', bad = ''] = await write(
    upstream,
    { ref: main, files },
    { ref: 'refs/heads/good', from: main, files: { 'good.txt': 'good\n' } },
    { ref: 'refs/heads/bad', from: main, files: { 'test.sh': 'exit 1\n' } },
  )
  for (const args of [['v1'], ['-m', 'Second', 'v2']]) {
    await git([...asAda, '--git-dir', upstream, 'tag', ...args, tip])
  }
  for (const [path, text] of [
    ['data/local.json', '{}\n'],
    ['data/server.log', 'started\n'],
    ['data/queue/slots/1/tree/test.sh', 'exit 1\n'],
    ['canary/mine.txt', 'mine\n'],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const heads = { good, bad }
  const mirror = await openMirror(join(folder, 'data/mirror.git'), upstream)
  const composed = { good: '', bad: '' }
  const logs = { good: '', bad: '' }
  const { run, close } = runnerIn(folder, {
    bubblewrap: false,
    fewestCarried: 0,
    packedRefs: () => mirror.packedRefs('main', tip),
  })
  for (const pull of pulls)
    composed[pull] = await compose(mirror, tip, snapshotOf(pull, heads[pull]))
  for (const pull of pulls) logs[pull] = (await run(composed[pull], `clean-${pull}`)).log
  await close()
  return { folder, tip, heads, composed, logs }
}

async function compose(mirror: Mirror, tip: Oid, snapshot: SnapshotToCommit): Promise<Oid> {
  const made = await mirror.compose(tip, [snapshot], 'squash').catch((error: unknown) => {
    // As the server does: a damaged mirror is made anew before the next work on it.
    mirror.noteDamage(error)
    return mirror.compose(tip, [snapshot], 'squash')
  })
  return 'commits' in made ? (made.commits[0] ?? '') : JSON.stringify(made)
}

function runnerIn(
  folder: string,
  {
    packedRefs,
    ...how
  }: {
    readonly bubblewrap: boolean
    readonly fewestCarried: number
    readonly packedRefs: () => Promise<string>
  },
) {
  const queue = join(folder, 'data/queue')
  const stuck: string[] = []
  const runner = new CommandRunner({
    ...how,
    slots: join(queue, 'slots'),
    logs: join(queue, 'runs'),
    mirror: join(folder, 'data/mirror.git'),
    ...onlyCommand,
    command,
    setup,
    keep: ['node_modules'],
    readReports: noReports,
    hidden: [join(folder, 'data')],
    leastFreeBytes: 0,
    onSlotFault: (words) => stuck.push(words),
  })
  const run = async (commit: Oid, id: string) => {
    const verdict = await runner.test({ id, commit, numbers: [1], base: '', packedRefs })
    // The setup is not run when what it made is kept.
    const log = readFileSync(runner.logOf(id), 'utf8').replace(`$ ${setup}\n`, '')
    return { outcome: verdict?.outcome, log }
  }
  return { run, stuck, close: () => runner.close() }
}

/** Each file below a folder, except in the slot and what a run writes into its own log: type, permissions, content. */
function filesIn(folder: string, below = ''): ReadonlyMap<string, string> {
  const own = ['data/queue/slots/0', 'data/queue/runs/attack.log', 'data/queue/runs/after-']
  const found = new Map<string, string>()
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = join(below, name)
    if (own.some((each) => path.startsWith(each)) || path.includes(`${sep}removed-`)) continue
    const at = join(folder, path)
    const stat = lstatSync(at)
    const kind = stat.isDirectory() ? 'd' : stat.isFile() ? 'f' : stat.isSymbolicLink() ? 'l' : '?'
    const text = kind === 'f' ? readFileSync(at, 'base64') : kind === 'l' ? readlinkSync(at) : ''
    found.set(path, `${kind} ${stat.mode.toString(8)} ${text}`)
    if (kind === 'd') for (const each of filesIn(folder, path)) found.set(...each)
  }
  return found
}

const areas = {
  neighbour: 'data/queue/slots/1',
  logs: 'data/queue/runs',
  mirror: 'data/mirror.git',
  data: 'data',
  canary: 'canary',
} as const

/** The areas in which something is different. */
function changed(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const others = paths.filter((path) => before.get(path) !== after.get(path))
  return [...new Set(others.map((path) => areaOf(path) ?? path))].sort()
}

function areaOf(path: string): string | undefined {
  return Object.entries(areas).find(([, area]) => path === area || path.startsWith(`${area}/`))?.[0]
}

describe('in the attack rehearsal', () => {
  let template: Template

  beforeAll(async () => {
    template = await makeTemplate(temporaryFolder(afterAll))
  })

  test('a slot shows what a fresh clone does, and gives its verdicts', () => {
    for (const pull of pulls) {
      const clone = join(temporaryFolder(), 'clone')
      execFileSync('git', ['clone', '-q', join(template.folder, 'upstream.git'), clone])
      const at = { cwd: clone, encoding: 'utf8' as const }
      execFileSync(
        'git',
        ['fetch', '-q', join(template.folder, 'data/mirror.git'), template.composed[pull]],
        at,
      )
      execFileSync('git', ['checkout', '-q', '--detach', template.composed[pull]], at)
      const { stdout, status } = spawnSync(
        'sh',
        ['-c', `${setup}; ${seen}; sh node_modules/check.sh && sh test.sh`],
        at,
      )
      expect(status).toBe(pull === 'good' ? 0 : 1)
      expect(template.logs[pull]).toContain(stdout)
      expect(template.logs[pull]).toMatch(pull === 'good' ? /\npassed: / : /\nfailed: /)
    }
  })

  describe.each([
    ...(hasBubblewrap() ? [['with bubblewrap', true] as const] : []),
    ['without bubblewrap', false] as const,
  ])('%s', (_, bubblewrap) => {
    test.each(Array.from({ length: stories }, (_each, seed) => seed))(
      'the attack of seed %i changes no later verdict, and nothing outside of its slot that a user may not',
      async (seed) => {
        const drawn = dealt(seed)
        const folder = temporaryFolder()
        cpSync(template.folder, folder, { recursive: true })
        const upstream = join(folder, 'upstream.git')
        const attack = { 'attack.sh': attackOf(drawn, seed % 2, join(folder, 'data')) }
        const [head = ''] = await write(upstream, {
          ref: 'refs/heads/attack',
          from: main,
          files: attack,
        })
        const mirror = await openMirror(join(folder, 'data/mirror.git'), upstream)
        await mirror.fetch(['refs/heads/attack'])
        const { run, stuck, close } = runnerIn(folder, {
          bubblewrap,
          fewestCarried: seed % 3 === 0 ? 200 : 0,
          packedRefs: () => mirror.packedRefs('main', template.tip),
        })
        onTestFinished(close)
        const names = drawn.map(({ name }) => name).join('; ')
        await run(template.tip, 'first')
        const before = filesIn(folder)
        expect(await run(head, 'attack'), names).toMatchObject({
          outcome: seed % 2 === 0 ? 'passed' : 'failed',
        })
        const reached = bubblewrap ? [] : drawn.flatMap(({ reaches }) => reaches ?? [])
        expect(changed(before, filesIn(folder)), names).toEqual([...new Set(reached)].sort())
        for (const pull of pulls) {
          const commit = await compose(mirror, template.tip, snapshotOf(pull, template.heads[pull]))
          expect(commit, names).toBe(template.composed[pull])
          const { log } = await run(commit, `after-${pull}`)
          expect(log, names).toBe(template.logs[pull])
        }
        expect(stuck).toEqual([])
      },
    )
  })
})
