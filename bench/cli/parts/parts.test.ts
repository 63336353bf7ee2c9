import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { overCores, type Spread, type Spreading } from '../../../sim/campaign/over-cores.ts'
import { answeringFrom, type AnswersDocument } from '../../../sim/campaign/answers.ts'
import { defects } from '../../../sim/defects/index.ts'
import type { Scoreboard } from '../../../sim/defects/scoreboard.ts'
import type { CliContext } from '../../../sim/terminal/context.ts'
import { runDefects } from '../sim/checks/run-defects.ts'
import { runExhaustive } from '../sim/checks/run-exhaustive.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { runPart } from './run-part.ts'

const home = new CliFolder()
afterAll(() => home.remove())

home.write(
  'busy.json',
  JSON.stringify({
    name: 'busy',
    queue: { concurrency: 3 },
    traffic: { count: 20, arrivals: { perHour: 20 }, breakRate: 0.2 },
  }),
)

/** Runs the parts of a campaign, and writes them to files. Returns the names of the files. */
async function partsOf(args: readonly string[], of: number): Promise<string[]> {
  const files: string[] = []
  for (let index = 1; index <= of; index++) {
    const shard = `${index}/${of}`
    const { code, out } = await home.run([...args, '--shard', shard, '--json', '--no-report'])
    expect(code).toBe(0)
    files.push(`${index}-of-${of}.json`)
    home.write(`${index}-of-${of}.json`, out)
  }
  return files
}

/** Each with the smallest budget. */
const campaigns = [
  ['compare', 'busy.json', '--seeds', '3', '--best', 'never'],
  ['tune', 'busy.json', '--no-drop', '--budget', '0.3s', '--seeds', '4', '--batch', '1,2,4'],
  ['sim', '--seeds', '6', '--once'],
  ['soak', '--seeds', '9'],
]

test.each(campaigns)(
  'parts of %s give the same bytes as one process, in any order of files',
  { tags: ['matrix'] },
  async (...args) => {
    const whole = await home.run([...args, '--json', '--no-report'])
    const files = await partsOf(args, 3)
    const [command = ''] = args
    const output = command === 'soak' || command === 'sim' ? ['--json'] : ['--json', '--no-report']
    const merged = await home.run([command, 'merge', ...files.toReversed(), ...output])
    expect(merged).toEqual({ ...whole, err: '' })
  },
)

describe('a check without seeds', () => {
  /** Runs it as a whole, and from three parts. */
  async function both(run: (context: CliContext, spread: Spread) => Promise<number>) {
    const whole = await outputOf((context) => run(context, overCores))
    const documents: AnswersDocument[] = []
    for (const index of [3, 1, 2]) {
      const part = {
        ...{ name: 'check', shard: { index, of: 3 }, campaign: ['check'] },
        ...{ json: true, report: null, writesFiles: false },
      }
      const inPart = (context: CliContext, { inParts }: Spreading): Promise<number> =>
        run(context, inParts)
      const text = await outputOf((context) => runPart(part, inPart, context))
      const document: AnswersDocument = JSON.parse(text)
      documents.push(document)
    }
    return { whole, merged: await outputOf((context) => run(context, answeringFrom(documents))) }
  }

  async function outputOf(run: (context: CliContext) => Promise<number>): Promise<string> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough().resume()]
    const output = textOf(stdout)
    await run({ stdout, stderr, env: {}, signal: new AbortController().signal })
    stdout.end()
    return output
  }

  const quiet = { json: true, report: null, writesFiles: false }

  test('gives the same bytes from parts: every small case', { tags: ['matrix'] }, async () => {
    const { whole, merged } = await both((context, spread) =>
      runExhaustive({ ...quiet, spread }, context, 1),
    )
    expect(JSON.parse(whole)).toMatchObject({ failed: 0 })
    expect(merged).toBe(whole)
  })

  test('gives the same bytes from parts: defects', { tags: ['matrix'] }, async () => {
    const few = defects.slice(0, 4)
    const budget = { seedsAtMost: 5, seedsForOthers: 1 }
    const { whole, merged } = await both((context, spread) =>
      runDefects({ ...quiet, spread }, context, few, budget),
    )
    const board: Scoreboard = JSON.parse(whole)
    expect(board.defects).toHaveLength(4)
    expect(merged).toBe(whole)
  })
})

describe('parts that make no whole are refused in one line that says what to do', () => {
  const compare = ['compare', 'busy.json', '--seeds', '2', '--best', 'never']

  async function refused(args: readonly string[]): Promise<string> {
    const { code, out, err } = await home.run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    return err
  }

  test('given one that is missing', async () => {
    const [one = ''] = await partsOf(compare, 2)
    expect(await refused(['compare', 'merge', one])).toBe(
      '1-of-2.json: /part/of: expected 2 parts, got none of index 2: ' +
        'run "mergeyard compare --seeds=2 --best=never busy.json --shard 2/2"\n',
    )
  })

  test(
    'given one twice, of other options, of another build, of another scenario',
    { tags: ['matrix'] },
    async () => {
      const [one = '', two = ''] = await partsOf(compare, 2)
      const document: AnswersDocument = JSON.parse(home.read(two))
      const changed = (part: Partial<AnswersDocument['part']>): string => {
        home.write(
          'changed.json',
          JSON.stringify({ ...document, part: { ...document.part, ...part } }),
        )
        return 'changed.json'
      }
      const merge = (...files: string[]): Promise<string> => refused(['compare', 'merge', ...files])
      expect(await merge(one, two, two)).toMatch(/got it again, as in 2-of-2.json: leave one/)
      const campaign = ['compare', '--seeds=3', 'busy.json']
      expect(await merge(one, changed({ campaign }))).toMatch(
        /"mergeyard compare --seeds=3 .*: leave/,
      )
      const other = 'run "mergeyard compare --seeds=2 --best=never busy.json --shard 2/2" '
      expect(await merge(one, changed({ build: 'old' }))).toContain(
        `${other}with the build of 1-of`,
      )
      expect(await merge(one, changed({ input: 'x' }))).toContain(`${other}on the scenario of 1-of`)
      expect(await merge(changed({ build: 'old' }))).toContain('expected this build')
    },
  )

  test(
    'given parts of another command, or of a scenario that has changed since',
    { tags: ['matrix'] },
    async () => {
      const files = await partsOf(compare, 2)
      expect(await refused(['tune', 'merge', ...files])).toContain(
        'expected parts of mergeyard tune',
      )
      const kept = home.read('busy.json')
      home.write('busy.json', kept.replace('0.2', '0.3'))
      expect(await refused(['compare', 'merge', ...files])).toContain('merge where the scenario is')
      home.write('busy.json', kept)
    },
  )

  test('given a soak that is no part beside one that is', { tags: ['matrix'] }, async () => {
    const [part = ''] = await partsOf(['soak', '--seeds', '4'], 2)
    const { out } = await home.run(['soak', '--seeds', '9..9', '--json', '--no-report'])
    home.write('whole.json', out)
    expect(await refused(['soak', 'merge', part, 'whole.json'])).toContain(
      'run its part to the end',
    )
  })
})

describe('a campaign that has no parts says which option gives it some', () => {
  test.each([
    [['tune', 'busy.json', '--shard', '1/2'], /expected --no-drop as well: rounds drop settings/],
    [['tune', 'busy.json', '--no-drop', '--for', 'github', '--shard', '1/2'], /expected no --for/],
    [['compare', 'busy.json', '--lengths', 'all', '--shard', '1/2'], /one of --lengths/],
    [['compare', 'busy.json', '--shard', '3/2'], /i\/n with 1 <= i <= n/],
    [['sim', '--defects', '--shard', '0/2'], /i\/n with 1 <= i <= n/],
  ])('%s', async (args, expected) => {
    const { code, out, err } = await home.run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(expected)
  })
})

test('an interrupted part writes nothing that a merge could take for a whole one', async () => {
  const args = ['compare', 'busy.json', '--best', 'never', '--shard', '1/2', '--json']
  const { code, out } = await home.run(args, {}, AbortSignal.abort())
  expect({ code, out }).toEqual({ code: 130, out: '' })
})
