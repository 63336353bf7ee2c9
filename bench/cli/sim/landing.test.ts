/** The time to land and the price, as `sim` shows them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from './testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())
const sim = home.sim.bind(home)

const flaky = home.scenario('flaky', {
  queue: { concurrency: 1 },
  pullRequests: [{ number: 1, flakyRuns: [1] }],
})
const again = ['--set', 'resubmit.afterMinutes=40']
const prices = ['--ci-price', '2', '--wait-price', '5']

describe('the summary', () => {
  // S-241
  test('shows the time to land where pull requests came again, and only there', async () => {
    const { out } = await sim([flaky, ...again])
    expect(out).toMatch(/time in queue +10 min  median/)
    expect(out).toMatch(/time to land +1 h  median; .*; 1 pull request came again\n/)
    const page = readFileSync(join(home.path, 'reports/flaky/report.html'), 'utf8')
    expect(page).toContain('time to land')
    const { out: without } = await sim([flaky, '--no-report'])
    expect(without).not.toContain('time to land')
  })

  // S-244
  test('shows a price where one is given, also in the page and as JSON', async () => {
    const { out } = await sim([flaky, ...again, ...prices])
    expect(out).toContain(
      'price                 45.00  CI 40.00, waiting 5.00; 45.00 per landed pull request\n',
    )
    const page = readFileSync(join(home.path, 'reports/flaky/report.html'), 'utf8')
    expect(page).toContain('CI 40.00, waiting 5.00')
    const { out: json } = await sim([flaky, ...again, ...prices, '--json', '--no-report'])
    const price = { ci: 40, waiting: 5, total: 45, perLanded: 45 }
    expect(JSON.parse(json)).toMatchObject({ price })
    const { out: without } = await sim([flaky, '--json', '--no-report'])
    expect(JSON.parse(without)).not.toHaveProperty('price')
  })
})

describe('many seeds', () => {
  test('show times to land and prices', async () => {
    const args = [flaky, ...again, ...prices, '--seeds', '2', '--no-report']
    const { out } = await sim(args)
    expect(out).toMatch(/time to land, p95 +1 h/)
    expect(out).toMatch(/price per landed PR +45 /)
  })

  test('show no times to land where nobody came again', async () => {
    const { out } = await sim([flaky, '--seeds', '2', '--no-report'])
    expect(out).not.toContain('time to land')
  })
})

// S-12, S-244
test.each([
  ['a price that is no number', ['--ci-price', 'cheap'], /a number from 0 .*got --ci-price cheap/],
  ['a negative price', ['--wait-price=-3'], /a number from 0 .*got --wait-price -3/],
  ['a price of a recording', ['--ci-price', '1', '--against', 'data'], /a price with --against/],
])('given %s, says what is expected: exit code 2', async (_name, args, expected) => {
  const files = args.includes('--against') ? [] : [flaky]
  const { code, err } = await sim([...files, ...args])
  expect(code).toBe(2)
  expect(err).toMatch(expected)
})
