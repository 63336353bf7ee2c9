/**
 * One is odd, and nobody else notices: each kind alone, and one of each kind at random moments in a stream of healthy
 * ones, on real git. The matrix has 50 longer streams, from MERGEYARD_ODD_FROM on.
 */

import seedrandom from 'seedrandom'
import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { write } from '../git/testing/commits.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'
import { hookOfHost, oddities, testCommand, type Fates } from './testing/oddities.ts'
import { onlyCommand } from '../runner/command-runner.ts'

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

const refOf = (name: string): string => `refs/heads/queue/${name}`

/** What became of a branch. */
function fateOf(world: HostedWorld, name: string): string {
  const cards = [...world.history().cards.values()]
  const number = cards.findLast(({ ref }) => ref === refOf(name))?.number
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
  test.each(oddities(mergeMethod))('$name', matrix, async ({ plant }) => {
    const world = await worldOf(mergeMethod, 3)
    world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
    await world.repository.commit(refOf('before'), { 'before.txt': 'x\n' })
    const fates = await plant(world.repository, 'odd')
    await world.repository.commit(refOf('after'), { 'after.txt': 'x\n' })
    await world.look()
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
  const moments = oddities(mergeMethod).map(({ name, plant }) => {
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
    await world.look()
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
