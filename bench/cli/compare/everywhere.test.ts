import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { SimFolder } from '../sim/testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())

const options = ['--only', 'small-team', '--seeds', '2', '--best', '0.2s', '--lengths', 'constant']

const everywhere = (...args: readonly string[]) =>
  home.run(['compare', 'everywhere', ...options, ...args])

test('compares the proposed setting with the queues at their best, and says which goals it meets', async () => {
  const { code, out } = await everywhere('--report', 'first')
  expect(code).toBe(0)
  expect(out).toMatch(/^small-team +constant /m)
  expect(out).toMatch(/^time to land p95: no other queue is surely better in 1 of 1;/m)
  expect(out).toMatch(/^CI minutes at most 1\.1 times its: [01] of 1$/m)
  expect(out).toContain('0 bad pull requests merged; main broken 0 min')
  const text = readFileSync(join(home.path, 'first', 'small-team-constant.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    place: { best: [{}, {}, {}, {}, {}], judged: { seeds: 2, badMerged: 0 } },
  })
})

test('does not make a comparison again, unless the options are others', matrix, async () => {
  const file = join(home.path, 'again', 'small-team-constant.json')
  const { out } = await everywhere('--report', 'again')
  const marked = readFileSync(file, 'utf8').replace('"badMerged": 0', '"badMerged": 7')
  writeFileSync(file, marked)
  const second = await everywhere('--report', 'again')
  expect(second.out).toBe(out.replace('0 bad pull requests', '7 bad pull requests'))
  const other = await everywhere('--report', 'again', '--seeds', '3')
  expect(other.out).toContain('0 bad pull requests')
})

test('histories are places at their own, five and twenty times their pace', async () => {
  const rows = Array.from({ length: 6 }, (_, day) => `2026-01-0${day + 1}T10:00:00Z,600,passed\n`)
  mkdirSync(join(home.path, 'traces'))
  home.write('traces/shop.csv', `startedAt,durationSeconds,status\n${rows.join('')}`)
  const traced = ['--traces', 'traces', '--only', 'shop', '--only', 'shop, 20 times as busy']
  const { out } = await everywhere(...traced, '--report', 'traced')
  expect(out).toMatch(/^shop +constant +\S/m)
  expect(out).toMatch(/^shop, 20 times as busy +constant +\S/m)
})

test.each([
  ['--only', 'nowhere', 'small-team; '],
  ['--lengths', 'long', 'all, or one of scenario, run, constant, composition'],
  ['--best', 'never', 'a time like 90s, 2m or 1h'],
])('refuses %s %s', matrix, async (option, value, expected) => {
  const { code, err } = await everywhere(option, value)
  expect(code).toBe(2)
  expect(err).toContain(expected)
})
