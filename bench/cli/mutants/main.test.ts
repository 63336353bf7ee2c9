import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { BadLines } from '../../../sim/scenario/bad-input.ts'
import { placeOf, type Mutant } from '../../mutation/mutants/mutant.ts'
import type { Verdicts } from '../../mutation/process/judge-mutant.ts'
import type { MutantsDocument } from '../../mutation/verdicts/document.ts'
import { mutantsCommand, type Judging } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const noticed: Verdicts = { scenarios: null, swarm: 'seed 1: a', 'unit tests': null }
const unnoticed: Verdicts = { scenarios: null, swarm: null, 'unit tests': null }

/** Judges by this function instead of the judges. */
const judgingBy = (verdictsOf: (mutant: Mutant) => Verdicts): Judging => ({
  judgeAll(chosen, { onJudged, signal }) {
    for (const mutant of chosen) {
      if (signal?.aborted !== true) onJudged(mutant, verdictsOf(mutant))
    }
    return Promise.resolve()
  },
  judgeEngine: () => Promise.resolve(unnoticed),
  refusedByTypes: () => Promise.resolve(new Map()),
})

const sharp = judgingBy(() => noticed)

type Result = { readonly code: number; readonly out: string }

async function mutants(
  args: readonly string[],
  judging: Judging = sharp,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough().resume()]
  const text = textOf(stdout)
  const context = { stdout, stderr, signal, env: { INIT_CWD: folder } }
  try {
    const code = await mutantsCommand(judging)(args, context)
    stdout.end()
    return { code, out: await text }
  } catch (error) {
    if (!(error instanceof BadLines)) throw error
    return { code: 2, out: error.lines.join('\n') }
  }
}

async function documentOf(
  ...[args, ...others]: Parameters<typeof mutants>
): Promise<MutantsDocument> {
  const document: MutantsDocument = JSON.parse(
    (await mutants([...args, '--json', '--no-report'], ...others)).out,
  )
  return document
}

describe('judging mutants', () => {
  test('given judges that notice everything, prints a table and exits with 0', async () => {
    const { code, out } = await mutants(['--seed', '1'])
    expect(code).toBe(0)
    expect(out).toMatch(/^mutants {3}seed 1 {3}50 of [\d,]+ drawn {3}[\d,]+ more are equivalent$/m)
    expect(out).toMatch(/^scenarios +0 +50 +0 %$/m)
    expect(out).toMatch(/^swarm +50 +50 +100 %$/m)
    expect(out).toMatch(/^scenarios or swarm +(\d+) +\1 +100 % +goal 85 %$/m)
    expect(out).toMatch(/^engine\/recording +\d+ +- +100 %$/m)
    expect(out).toMatch(/^anything +50 +50 +100 % +goal 97 %$/m)
    expect(out).toMatch(/^engine\/rules +\d+ +100 % +100 %$/m)
    expect(out).toMatch(/^the goals are met$/m)
    const written: MutantsDocument = JSON.parse(
      readFileSync(join(folder, 'reports', 'mutants', 'mutants.json'), 'utf8'),
    )
    expect(written.judged).toHaveLength(50)
  })

  test('given a missed goal, lists each survivor with its place and change, and exits with 1', async () => {
    const only = ['--only', 'engine/rules/merge-directly.ts', '--no-report']
    const { code, out } = await mutants(
      only,
      judgingBy(({ operator }) => (operator === 'not' ? unnoticed : noticed)),
    )
    const { code: shown = '' } =
      (await documentOf(only)).judged.find(({ operator }) => operator === 'not') ?? {}
    expect(code).toBe(1)
    expect(out).toMatch(/^engine\/rules\/merge-directly.ts:\d+:\d+ {2}not$/m)
    expect(out).toContain(`\n  ${shown}\n  from  !`)
    expect(out).toMatch(
      /^judge one again with +npm run mutants -- --only engine\/rules\/merge-directly.ts:\d+$/m,
    )
    expect(out).toMatch(/^MISSED {2}anything: \d+\.\d %, at least 97 %$/m)
  })

  test('given a mutant that the type checker refuses, no judge is asked, and it is counted apart', async () => {
    const judging: Judging = {
      ...sharp,
      refusedByTypes: (drawn) =>
        Promise.resolve(new Map(drawn.slice(0, 1).map((mutant) => [mutant, 'error TS18048']))),
    }
    const { code, out } = await mutants(['--seed', '1', '--no-report'], judging)
    expect(code).toBe(0)
    expect(out).toMatch(/^refused by the types +1 +50 +2 %$/m)
    expect(out).toMatch(/^anything +49 +49 +100 % +goal 97 %$/m)
  })

  test('given an interrupt, prints what was judged and exits with 130', async () => {
    const interrupt = new AbortController()
    const args = ['--seed', '1', '--json', '--no-report']
    const { code, out } = await mutants(
      args,
      judgingBy(() => {
        interrupt.abort()
        return noticed
      }),
      interrupt.signal,
    )
    const document: MutantsDocument = JSON.parse(out)
    expect([code, document.judged.length]).toEqual([130, 1])
  })

  test('given an earlier document, judges only the rest', async () => {
    const first = await documentOf(['--seed', '1', '--sample', '20'])
    writeFileSync(join(folder, 'first.json'), JSON.stringify(first))
    const judged: string[] = []
    const counting = judgingBy((mutant) => {
      judged.push(placeOf(mutant))
      return noticed
    })
    const whole = await documentOf(['--seed', '1', '--resume', 'first.json'], counting)
    expect(judged).toHaveLength(30)
    expect(whole).toEqual(await documentOf(['--seed', '1']))
  })

  test('given the documents of all shards, merge prints the same as one run', async () => {
    const files = await Promise.all(
      ['1/2', '2/2'].map(async (shard, index) => {
        const document = await documentOf(['--seed', '1', '--shard', shard])
        writeFileSync(join(folder, `${index}.json`), JSON.stringify(document))
        return `${index}.json`
      }),
    )
    const { code, out } = await mutants(['merge', ...files, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(await documentOf(['--seed', '1']))
  })

  test('given a mutant in the list of equivalents that is noticed, names it and exits with 1', async () => {
    const { code, out } = await mutants(['--equivalents', '--no-report'])
    expect(code).toBe(1)
    expect(out).toMatch(/^equivalent mutants {3}(\d+) of \1 judged {3}\1 noticed$/m)
    expect(out).toMatch(/^ {2}listed because {2}[A-Z].*\.$/m)
    expect(out).toMatch(/^ {2}noticed by {6}seed 1: a$/m)
    expect(out).toContain('NOT EQUIVALENT')
    const blind = judgingBy(() => unnoticed)
    expect((await mutants(['--equivalents', '--no-report'], blind)).code).toBe(0)
  })

  test('given a part of the list of equivalents, says how many are left and how to judge them', async () => {
    const args = ['--equivalents', '--shard', '1/9', '--report', 'part']
    const { code, out } = await mutants(
      args,
      judgingBy(() => unnoticed),
    )
    expect(code).toBe(0)
    const [, judged, of] =
      /^equivalent mutants {3}(\d+) of (\d+) judged {3}0 noticed$/m.exec(out) ?? []
    expect(Number(judged)).toBeLessThan(Number(of))
    const [, path = ''] = /--equivalents --resume (\S+)$/m.exec(out) ?? []
    const rest: string[] = []
    await mutants(
      ['--equivalents', '--resume', path, '--no-report'],
      judgingBy((mutant) => {
        rest.push(placeOf(mutant))
        return unnoticed
      }),
    )
    expect(rest).toHaveLength(Number(of) - Number(judged))
  })
})

describe('given bad input, prints one line and exits with 2', () => {
  test.each([
    [['--sample', 'many'], /--sample many/],
    [['--all', '--sample', '3'], /only one of them/],
    [['--only', 'server'], /a path with mutants in engine/],
    [['--shard', '3/2'], /1 <= i <= n/],
    [['scenario.json'], /options only/],
    [['merge'], /documents/],
    [['--resume', 'nowhere.json'], /ENOENT/],
  ])('%j', async (args, expected) => {
    const { code, out } = await mutants(args)
    expect(code).toBe(2)
    expect(out).toMatch(expected)
    expect(out.split('\n')).toHaveLength(1)
  })

  test('a judge that fails without a mistake', async () => {
    const judgeEngine = () => Promise.resolve({ ...unnoticed, swarm: 'seed 3: slots-respected' })
    expect(await mutants(['--sample', '1'], { ...sharp, judgeEngine })).toEqual({
      code: 2,
      out: 'mutants: the swarm must hold without a mistake in the engine: seed 3: slots-respected',
    })
  })
})
