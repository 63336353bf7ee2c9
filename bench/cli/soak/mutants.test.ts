import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunSoak } from '../../../sim/soak/run-soak.ts'
import type { SoakMutant } from '../../../sim/soak/mutants.ts'
import { soakSeed } from '../../../sim/soak/soak-seed.ts'
import { soakCommand } from './main.ts'
import { judgeSoakMutants, type JudgeSoakMutants } from './mutants.ts'

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the first seed only. */
const oneSeed: RunSoak = ({ seeds, onRun }) => {
  for (const seed of seeds) {
    onRun(soakSeed(seed))
    break
  }
  return Promise.resolve()
}

async function soak(
  args: readonly string[],
  judgeMutants: JudgeSoakMutants,
): Promise<{ readonly code: number; readonly out: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough().resume()]
  const text = textOf(stdout)
  const { signal } = new AbortController()
  const context = { stdout, stderr, signal, env: { INIT_CWD: folder } }
  const code = await soakCommand(oneSeed, judgeMutants)(args, context)
  stdout.end()
  return { code, out: await text }
}

const survivor: SoakMutant = {
  mutant: 'engine/rules/merge.ts:25:7  condition  a → true',
  noticedBy: [],
  replay: 'npm run mutants -- --only engine/rules/merge.ts:25',
}
const noticed: SoakMutant = {
  ...survivor,
  mutant: 'engine/rules/merge.ts:26:7  condition  b → true',
  noticedBy: ['swarm'],
}

const judging =
  (...mutants: readonly SoakMutant[]): JudgeSoakMutants =>
  () =>
    Promise.resolve([...mutants])

describe('the mutants of a soak', () => {
  test(
    'given a mutant that nothing noticed, names it with its command and exits with 1',
    { tags: ['matrix'] },
    async () => {
      const { code, out } = await soak(
        ['--seeds', '1..1', '--no-report'],
        judging(survivor, noticed),
      )
      expect(code).toBe(1)
      expect(out).toMatch(/^mutants noticed +1 of 2$/m)
      expect(out).toContain(
        `Nothing noticed this mutant of the engine:\n${survivor.mutant}\nreproduce with ${survivor.replay}\n`,
      )
      expect(out).toContain('DOES NOT HOLD  unnoticed: 1 mutant of the engine\n')
    },
  )

  test('given only mutants that were noticed, exits with 0', { tags: ['matrix'] }, async () => {
    const args = ['--seeds', '1..1', '--no-report']
    expect(await soak(args, judging(noticed))).toMatchObject({ code: 0 })
  })

  test.each([
    [['--seeds', '1..2'], 0],
    [['--seeds', '7000001..7003999'], 3],
    [['--seeds', '1000000'], 50],
    [['--seed', '9'], 0],
    [['--seed', '9', '--mutants', '4'], 4],
    [['--for', '0.01s'], 50],
  ])('%j judges %d mutants', { tags: ['matrix'] }, async (args, expected) => {
    const sizes: number[] = []
    await soak([...args, '--no-report'], ({ size }) => {
      sizes.push(size)
      return Promise.resolve([])
    })
    expect(sizes).toEqual([expected])
  })

  test(
    'given two machines that drew the same mutant, the merged summary counts it once',
    { tags: ['matrix'] },
    async () => {
      const write = async (name: string, seeds: string): Promise<string> => {
        const args = ['--seeds', seeds, '--json', '--no-report']
        const { out } = await soak(args, judging(noticed, survivor))
        writeFileSync(join(folder, name), out)
        return name
      }
      const files = [await write('a.json', '1..1'), await write('b.json', '3..3')]
      const { code, out } = await soak(['merge', ...files, '--json'], judging())
      expect(code).toBe(1)
      expect(JSON.parse(out)).toMatchObject({ mutants: [survivor, noticed] })
    },
  )

  test(
    'the sample of a soak is drawn by its first seed and judged in processes',
    { tags: ['matrix'] },
    async () => {
      const { signal } = new AbortController()
      const stderr = new PassThrough().resume()
      const shard = { index: 1, of: 2 }
      const sample = { size: 2, from: 5, shard, forMs: null, seedsOfSwarm: 5 }
      const judged = await judgeSoakMutants(sample, { stderr, signal })
      expect(judged).toHaveLength(1)
      expect(judged[0]?.mutant).toMatch(/^engine\/.+\.ts:\d+:\d+ {2}[a-z ]+ {2}.+ → .+$/)
      expect(judged[0]?.replay).toMatch(/^npm run mutants -- --only engine\/.+\.ts:\d+$/)
    },
  )
})
