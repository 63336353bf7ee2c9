import { afterAll, describe, expect, test } from 'vitest'
import { benchmarks } from '../../benchmarks/index.ts'
import type { BenchDocument } from '../../benchmarks/document.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const folder = new CliFolder()
afterAll(() => folder.remove())

/** Most processor time for what tests of pages run as well. */
const elsewhere = new Set(['page'])
const isAll = process.env['MERGEYARD_BENCHMARKS'] === 'all'
const measured = benchmarks.filter(({ name }) => isAll || !elsewhere.has(name))

/**
 * Differences of two measurements. With runs as short as these, memory may shrink while two pages watch, and one
 * command may take longer than another with the queue around it.
 */
function isDifference(figure: string): boolean {
  return /^(?:memory of a page|around a command)/.test(figure)
}

describe('npm run bench -- --quick', () => {
  test.each(measured.map(({ name }) => name))('measures %s', async (name) => {
    const { code, out, err } = await folder.run([
      'bench',
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
      expect(value.median, figure).toBeGreaterThan(isDifference(figure) ? -Infinity : 0)
    }
  })

  test('writes a document, and compares a second run with them', async () => {
    const options = ['--quick', '--only', 'event']
    const first = await folder.run(['bench', ...options])
    expect(first.code).toBe(0)
    expect(first.out).toContain('a simulated event')
    const second = await folder.run(['bench', ...options, '--compare', 'reports/bench/bench.json'])
    expect(second.code).toBe(0)
    expect(second.out).toContain('new : old')
    expect(second.out).toContain('a simulated event')
  })
})

describe('invalid input', () => {
  test.each([
    [['--only', 'speed'], 'expected one of event, '],
    [['--compare', 'nowhere.json'], 'cannot be read'],
    [
      ['--compare', 'other.json'],
      'expected a file that `npm run bench` wrote, got another document',
    ],
    [['--compare', 'broken.json'], 'got text that is not JSON'],
    [['--report', 'other.json/below'], 'other.json, which is a file'],
  ])('%j is rejected with exit code 2 before any measurement', async (args, output) => {
    folder.write('other.json', '{}')
    folder.write('broken.json', '{')
    const { code, out, err } = await folder.run(['bench', ...args])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(output)
  })

  test('--help lists every benchmark', async () => {
    const { code, out } = await folder.run(['bench', '--help'])
    expect(code).toBe(0)
    // A title that is longer than the line goes on in the next one.
    const unfolded = out.replaceAll(/ *\n +/g, ' ')
    for (const { name, title } of benchmarks) {
      expect(unfolded).toMatch(new RegExp(`${name} +${title}`))
    }
  })
})
