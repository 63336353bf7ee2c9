import { expect, test } from 'vitest'
import { CliFolder } from './testing/cli-folder.ts'

const home = new CliFolder()

const small = home.scenario('small', {
  queue: { concurrency: 1, policy: 'documented' },
  traffic: { count: 12, arrivals: { perHour: 6 } },
})

// S-337
test('the worst day is written as a scenario, with the report of its run', async () => {
  const out = await home.printed(`worst ${small} --of starvation --seeds 20 --events 10000`)
  expect(out).toMatch(/^small, longest wait for a first test run: [\d,]+ days were searched\n/)
  expect(out).toMatch(/the worst of 20 random days: [\d.]+ min; this one is [\d.]+ times as bad\n/)
  expect(home.read('reports/small/report.html')).toContain('worst-starvation-of-small')
  const day = await home.documentIn('reports/small/worst-starvation-of-small.json')
  expect(day).toMatchObject({ queue: { concurrency: 1 }, expect: {} })
})

test('given that nothing worse was found, says so with numbers', async () => {
  expect(await home.printed(`worst ${small} --of evicted --seeds 20 --events 0`)).toBe(
    'small, healthy pull requests evicted: 20 days were searched, and none is worse than the worst of 20 random days: 0\n',
  )
})

test('given a day on which nobody lands, says that instead of a time', async () => {
  const broken = home.scenario('broken', {
    traffic: { count: 3, arrivals: { perHour: 6 }, breakRate: 1 },
  })
  expect(await home.printed(`worst ${broken} --seeds 2 --events 0`)).toBe(
    'broken, p99 of the time to land: 2 days were searched, and none is worse than the worst of 2 random days: nobody landed\n',
  )
})

test.each([
  ['--of mood', 'p99, starvation, broken, evicted'],
  ['--seeds 0', 'a whole number from 1'],
])('%s is refused', async (option, expected) => {
  const fault = `worst: command line: expected ${expected}, got ${option}\n`
  await home.refuses(`worst ${small} ${option}`, fault)
})
