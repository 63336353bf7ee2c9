import { describe, expect, test } from 'vitest'
import { benchmarks } from '../../benchmarks/index.ts'
import type { BenchDocument } from '../../benchmarks/document.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()

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
    const out = await home.printed(`bench --quick --only ${name} --json --no-report`)
    const document: BenchDocument = JSON.parse(out)
    expect(document.benchmarks.map((each) => each.name)).toEqual([name])
    const { figures = [], targets = [] } = document.benchmarks[0] ?? {}
    expect(figures.length).toBeGreaterThan(0)
    for (const { name: figure, value } of [...figures, ...targets]) {
      expect(value.median, figure).toBeGreaterThan(isDifference(figure) ? -Infinity : 0)
    }
  })

  test('writes a document, and compares a second run with them', async () => {
    const first = await home.run('bench --quick --only event')
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('a simulated event') })
    const compared = '--compare reports/bench/bench.json'
    const second = await home.run(`bench --quick --only event ${compared}`)
    expect(second).toMatchObject({ code: 0, out: expect.stringMatching(/new : old[^]*simulated/) })
  })

  test('--help lists every benchmark', async () => {
    const out = await home.printed('bench --help')
    // A title that is longer than the line goes on in the next one.
    const unfolded = out.replaceAll(/ *\n +/g, ' ')
    for (const { name, title } of benchmarks) {
      expect(unfolded).toMatch(new RegExp(`${name} +${title}`))
    }
  })

  test.each([
    ['--only speed', 'expected one of event, '],
    [
      '--compare nowhere.json',
      'nowhere.json: file: expected a file that can be read, got no such file or',
    ],
    ['--compare other.json', 'expected a file that `npm run bench` wrote, got another document'],
    ['--compare broken.json', 'got text that is not JSON'],
    ['--report other.json/below', 'other.json, which is a file'],
    ['--report somewhere --no-report', 'got --report and --no-report'],
    ['--traces nowhere', 'a folder with histories of builds (.csv), got no such file or'],
    ['--traces .', '--traces: expected a folder with histories of builds (.csv), got none in it'],
    ['--only event --traces .', 'the benchmark calibration among those of --only, got --traces .'],
  ])('%s is refused before any measurement', async (option, words) => {
    home.write('other.json', '{}')
    home.write('broken.json', '{')
    await home.refuses(`bench ${option}`, words)
  })
})
