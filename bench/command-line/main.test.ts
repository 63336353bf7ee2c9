import { afterAll, describe, expect, test } from 'vitest'
import { benchmarks } from '../benchmarks/index.ts'
import type { BenchDocument } from '../document/document.ts'
import { BenchFolder } from './testing/bench-folder.ts'

const folder = new BenchFolder()
afterAll(() => folder.remove())

describe('npm run bench -- --quick', () => {
  test.each(benchmarks.map(({ name }) => name))('measures %s', async (name) => {
    const { code, out, err } = await folder.bench([
      '--quick',
      '--only',
      name,
      '--json',
      '--no-report',
    ])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const document: BenchDocument = JSON.parse(out)
    expect(document.benchmarks.map((each) => each.name)).toEqual([name])
    const { figures = [], targets = [] } = document.benchmarks[0] ?? {}
    expect(figures.length).toBeGreaterThan(0)
    for (const { name: figure, value } of [...figures, ...targets]) {
      // A storm or a list as short as these may fit in what the process had anyway.
      const isGrowth = /^memory (per pull request|that a list)/.test(figure)
      expect(value.median, figure).toBeGreaterThanOrEqual(isGrowth ? 0 : Number.MIN_VALUE)
    }
  })

  test('writes a document and a page, and compares with them the next time', async () => {
    const wish = ['--quick', '--only', 'draw']
    const first = await folder.bench(wish)
    expect(first.code).toBe(0)
    expect(first.out).toContain('a keyed random number')
    expect(folder.read('reports/bench/index.html')).toContain('a keyed random number')
    const second = await folder.bench([...wish, '--compare', 'reports/bench/bench.json'])
    expect(second.code).toBe(0)
    expect(second.out).toContain('new : old')
    expect(second.out).toContain('a lognormal length')
  })
})

describe('what cannot be used', () => {
  test.each([
    [['--only', 'speed'], 'expected one of event, '],
    [['--fast'], 'an option that --help lists'],
    [['--compare', 'nowhere.json'], 'cannot be read'],
    [['--compare', 'other.json'], 'expected what `npm run bench` wrote, came something else'],
    [['--compare', 'broken.json'], 'came no JSON'],
  ])('%j is refused with exit code 2 before anything is measured', async (args, said) => {
    folder.write('other.json', '{}')
    folder.write('broken.json', '{')
    const { code, out, err } = await folder.bench(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(said)
  })

  test('options that npm has swallowed are asked for again', async () => {
    const { code, err } = await folder.bench([], { npm_config_quick: 'true' })
    expect(code).toBe(2)
    expect(err).toContain('npm run bench -- --quick')
  })

  test('--help lists every benchmark', async () => {
    const { code, out } = await folder.bench(['--help'])
    expect(code).toBe(0)
    for (const { name, title } of benchmarks) expect(out).toMatch(new RegExp(`${name} +${title}`))
  })
})
