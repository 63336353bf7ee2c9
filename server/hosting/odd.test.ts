/**
 * One is odd, and nobody else notices: each kind alone, and one of each kind at random moments in a stream of healthy
 * ones, on real git. The matrix has 50 longer streams, from MERGEYARD_ODD_FROM on.
 */

import seedrandom from 'seedrandom'
import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { write } from '../git/testing/commits.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'
import { onlyCommand } from '../runner/command-runner.ts'
import type { MergeMethod } from '../git/snapshot.ts'
import type { Oid } from '../git/git.ts'
import type { TestRepository } from './testing/test-repository.ts'

const methods = ['squash', 'rebase', 'merge_commit'] as const

async function worldOf(mergeMethod: (typeof methods)[number], batchingMinSize: number) {
  const batch = { batch: true, batchingMinSize, batchingMaxWaitTimeMinutes: 0 } as const
  const world = await hostedWorld({
    set: { mergeMethod, ...batch, concurrency: 2 },
    tests: { kind: 'command', run: testCommand, ...onlyCommand },
    pollMs: 1_000,
  })
  world.repository.hook('pre-receive', hookOfHost)
  return world
}

const refOf = (id: string): string => `refs/heads/queue/${id}`

/** What became of a branch. */
function fateOf(world: HostedWorld, name: string): string {
  const snapshots = [...world.history().snapshots.values()]
  const number = snapshots.findLast(({ ref }) => ref === refOf(name))?.number
  return number === undefined ? 'refused' : (world.states()[number] ?? 'refused')
}

/** Settles when each branch has found one of its fates. */
async function untilOver(world: HostedWorld, fates: Fates): Promise<void> {
  const isOver = ([name, any]: [string, readonly string[]]): boolean =>
    any.includes(fateOf(world, name))
  await world.until(() => Object.entries(fates).every(isOver))
}

//
describe.each(methods)('%s', (mergeMethod) => {
  test.each(Object.entries(oddities(mergeMethod)))('%s', matrix, async (_, plant) => {
    const world = await worldOf(mergeMethod, 3)
    world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
    await world.repository.commit(refOf('before'), { 'before.txt': 'x\n' })
    const fates = await plant(world.repository, 'odd')
    await world.repository.commit(refOf('after'), { 'after.txt': 'x\n' })
    await world.poll()
    world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
    await untilOver(world, { before: ['MERGED'], ...fates, after: ['MERGED'] })
    expect(world.queue().state).toBe('RUNNING')
    expect(world.host().status().faults).toEqual([])
  })
})

const first = Number(process.env['MERGEYARD_ODD_FROM'] ?? 1)
const mostQueued = 24

const isInQueue = (state: string): boolean => !['MERGED', 'FAILED', 'CANCELLED'].includes(state)

/** Returns what went wrong for others than the odd ones: pauses, faults, healthy ones that did not merge. */
async function playStream(seed: number, healthy: number): Promise<string[]> {
  const mergeMethod = methods[seed % methods.length] ?? 'squash'
  const world = await worldOf(mergeMethod, 8)
  const { repository, server } = world
  const pauses: string[] = []
  server.manager.subscribe(({ events }) => {
    for (const event of events) if (event.type === 'queueStateChanged') pauses.push(event.to)
  })
  const roll = seedrandom(String(seed))
  const moments = Object.entries(oddities(mergeMethod)).map(([name, plant]) => {
    return { at: Math.floor(roll() * healthy), id: name.replaceAll(/\W+/g, '-'), plant }
  })
  const fates: Record<string, Fates[string]> = {}
  const names = Array.from({ length: healthy }, (_, index) => `healthy-${index}`)
  for (let from = 0; from < healthy;) {
    const to = Math.min(healthy, from + 1 + Math.floor(roll() * 12))
    const pushed = names.slice(from, to)
    await write(
      repository.path,
      ...pushed.map((name) => {
        return { ref: refOf(name), from: 'refs/heads/main', files: { [`${name}.txt`]: 'x\n' } }
      }),
    )
    for (const name of pushed) fates[name] = ['MERGED']
    for (const { at, id, plant } of moments) {
      if (at >= from && at < to) Object.assign(fates, await plant(repository, id))
    }
    from = to
    await world.poll()
    await world.until(() => {
      return Object.values(world.states()).filter(isInQueue).length < mostQueued
    })
  }
  await untilOver(world, fates)
  const { faults } = world.host().status()
  const left = names.filter((name) => fateOf(world, name) !== 'MERGED')
  const files = new Set(await repository.files())
  const lost = names.filter((name) => !files.has(`${name}.txt`))
  return [...pauses, ...faults, ...left, ...lost]
}

describe('a stream with one oddity of each kind: every healthy one merges, and nobody waits for a person', () => {
  test('30 healthy ones, seed 1', async () => {
    expect(await playStream(1, 30)).toEqual([])
  })
  test.each(Array.from({ length: 50 }, (_, index) => first + index))(
    '100 healthy ones, seed %i',
    matrix,
    async (seed) => {
      expect(await playStream(seed, 100)).toEqual([])
    },
  )
})

// What a repository of real people has: one of each kind that git, a host or a slot cannot do, or does in another way.
// Each is planted on a repository of a test, and says what must become of it. Nobody else may notice it.

/** What becomes of a branch; `refused`: it never enters. */
type Fate = 'MERGED' | 'FAILED' | 'NOT_READY' | 'CANCELLED' | 'refused'

/** Names are below `queue/`. Of several fates any one may come. */
type Fates = Readonly<Record<string, readonly Fate[]>>

/** Pushes it. `id` is unique, so that it can be planted more than once. */
type Plant = (repository: TestRepository, id: string) => Promise<Fates>

type Oddities = Readonly<Record<string, Plant>>

/** The hook of the repository: no branch of its own takes keys. */
const hookOfHost = `while read old new ref; do
  [ "$ref" = refs/heads/main ] || continue
  git diff-tree -r --name-only "$old" "$new" | grep -q '\\.pem$' && { echo "no keys" >&2; exit 1; }
done; exit 0`

/** The tests of the repository: each file of `tests` is one. */
const testCommand =
  'for each in tests/*; do [ -e "$each" ] && { sh "$each" || exit 1; }; done; exit 0'

const merged = (id: string): Fates => ({ [id]: ['MERGED'] })
const failed = (id: string): Fates => ({ [id]: ['FAILED'] })

/** Pushes a commit with a test of its own. */
function withTest(script: string, fates: (id: string) => Fates): Plant {
  return async (repository, id) => {
    await repository.commit(refOf(id), { [`tests/${id}.sh`]: script })
    return fates(id)
  }
}

/** Pushes a commit of files that people do not write by hand: lines as `git mktree` reads them. */
async function commitOfTree(
  repository: TestRepository,
  id: string,
  entries: (blob: Oid) => readonly string[],
): Promise<void> {
  const blob = await repository.git(['hash-object', '-w', '--stdin'], 'odd\n')
  const tip = await repository.oidOf('main') // It moves meanwhile.
  const there = await repository.git(['ls-tree', tip])
  const lines = [there, ...entries(blob)]
  const tree = await repository.git(['mktree', '--missing'], `${lines.join('\n')}\n`)
  await repository.commitTree(refOf(id), tree, [tip], `Odd files of ${id}`)
}

/** A merge of a branch of its own and another commit. */
async function mergeOf(repository: TestRepository, id: string, other: Oid): Promise<void> {
  const own = await repository.commit('refs/heads/side', { [`${id}.txt`]: 'own\n' })
  const merge = ['merge-tree', '--write-tree', '--allow-unrelated-histories', own, other]
  const tree = await repository.git(merge)
  await repository.commitTree(refOf(id), tree, [own, other], `Merge for ${id}`)
}

function oddities(method: MergeMethod): Oddities {
  return { ...histories, ...resolvedBy(method), ...contents, ...acts, ...tests }
}

const histories: Oddities = {
  async 'a root of its own'(repository, id) {
    await repository.commit(refOf(id), { [`${id}.txt`]: 'alone\n' }, null)
    return { [id]: ['NOT_READY'] }
  },

  async 'a merge of another root'(repository, id) {
    const root = await repository.commit('refs/heads/root', { [`lib-${id}`]: 'lib\n' }, null)
    await mergeOf(repository, id, root)
    return merged(id)
  },

  async 'a merge of an older branch'(repository, id) {
    const side = await repository.commit('refs/heads/other', { [`side-${id}`]: 'side\n' })
    await mergeOf(repository, id, side)
    return merged(id)
  },

  async 'a branch without commits of its own'(repository, id) {
    await repository.set(refOf(id), await repository.oidOf('main'))
    return { [id]: ['refused'] }
  },

  async 'an empty commit'(repository, id) {
    await repository.commit(refOf(id), {})
    return { [id]: ['refused'] }
  },
}

const contents: Oddities = {
  async 'a name that no file system takes'(repository, id) {
    await commitOfTree(repository, id, (blob) => [`100644 blob ${blob}\t${'x'.repeat(300)}${id}`])
    return failed(id)
  },

  async 'a file in .git'(repository, id) {
    const blob = await repository.git(['hash-object', '-w', '--stdin'], 'odd\n')
    const inside = await repository.git(['mktree'], `100644 blob ${blob}\tconfig-${id}\n`)
    await commitOfTree(repository, id, () => [`040000 tree ${inside}\t.git`])
    return failed(id)
  },

  async 'a submodule'(repository, id) {
    await commitOfTree(repository, id, () => [`160000 commit ${'1'.repeat(40)}\tlib-${id}`])
    return merged(id)
  },

  async 'pointers of LFS'(repository, id) {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`
    await repository.commit(refOf(id), {
      [`lfs-${id}/.gitattributes`]: '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      [`lfs-${id}/large.bin`]: pointer,
    })
    return merged(id)
  },

  async 'an instant and an author that nobody has'(repository, id) {
    const tip = await repository.oidOf('main')
    const blob = await repository.git(['hash-object', '-w', '--stdin'], `${id}\n`)
    const entries = `${await repository.git(['ls-tree', tip])}\n100644 blob ${blob}\t${id}.txt\n`
    const text = [
      `tree ${await repository.git(['mktree'], entries)}`,
      `parent ${tip}`,
      'author  <> 9999999999999 +051800',
      'committer Ada <ada@example.com>',
      '',
      'Odd',
      '',
    ].join('\n')
    const hash = ['hash-object', '-w', '--literally', '-t', 'commit', '--stdin']
    await repository.set(refOf(id), await repository.git(hash, text))
    return merged(id)
  },

  async 'a trailer that names another pull request'(repository, id) {
    const own = await repository.commit('refs/heads/side', { [`${id}.txt`]: 'own\n' })
    const message = 'Odd #1 @all [skip ci]\n\nMergeyard-Pull: 1\nMergeyard-Pull: 2'
    await repository.commitTree(refOf(id), own, [`${own}^`], message)
    return merged(id)
  },

  async 'a rule of the host against its files'(repository, id) {
    await repository.commit(refOf(id), { [`${id}.pem`]: 'key\n' })
    return failed(id)
  },
}

const acts: Oddities = {
  async 'two that change the same line'(repository, id) {
    await repository.commit(refOf(id), { [`${id}.txt`]: 'one\n' })
    await repository.commit(refOf(`${id}-too`), { [`${id}.txt`]: 'two\n' })
    const any: readonly Fate[] = ['MERGED', 'FAILED', 'NOT_READY']
    return { [id]: any, [`${id}-too`]: any }
  },

  async 'a stack of two branches'(repository, id) {
    const base = await repository.commit(refOf(id), { [`${id}.txt`]: 'one\n' })
    await repository.commit(refOf(`${id}-top`), { [`${id}.txt`]: 'one\ntwo\n' }, base)
    return { ...merged(id), ...merged(`${id}-top`) }
  },

  async 'a push by hand to the target branch'(repository, id) {
    for (;;) {
      const tip = await repository.oidOf('main')
      const commit = await repository.commit('refs/heads/hand', { [`${id}.txt`]: 'x\n' }, tip)
      const swap = ['update-ref', 'refs/heads/main', commit, tip]
      if (
        await repository.git(swap).then(
          () => true,
          () => false,
        )
      )
        return {}
    }
  },

  async 'a branch that is removed'(repository, id) {
    await repository.commit(refOf(id), { [`${id}.txt`]: 'x\n' })
    await repository.remove(refOf(id))
    return { [id]: ['refused', 'CANCELLED', 'MERGED'] }
  },
}

const tests: Oddities = {
  'a test that fails': withTest('exit 1\n', failed),
  'a test that leaves folders that nobody can remove': withTest(
    'mkdir -p ro/in; chmod 555 ro/in ro\n',
    merged,
  ),
  'a test that changes its git folder': withTest(
    'git config core.hooksPath /tmp; git update-index --assume-unchanged test.sh; echo x > .git/index.lock; echo "* -text" > .git/info/attributes\n',
    merged,
  ),
  'a test that leaves a process': withTest('setsid sleep 300 > /dev/null 2>&1 &\n', merged),
}

/** Git cannot replay it. */
const resolvedBy = (method: MergeMethod): Oddities => ({
  async 'a conflict that its merge resolves'(repository, id) {
    const base = await repository.commit('refs/heads/base', { [`${id}.txt`]: 'old\n' })
    const [a, b] = [
      await repository.commit('refs/heads/a', { [`${id}.txt`]: 'a\n' }, base),
      await repository.commit('refs/heads/b', { [`${id}.txt`]: 'b\n' }, base),
    ]
    await repository.commitTree(refOf(id), a, [a, b], 'Resolve')
    return method === 'rebase' ? { [id]: ['NOT_READY'] } : merged(id)
  },
})
