import { afterAll, expect, test } from 'vitest'
import { SimFolder } from './sim/testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())

const small = home.scenario('small', {
  queue: { concurrency: 1, policy: 'documented' },
  traffic: { count: 12, arrivals: { perHour: 6 } },
})

// S-337
test('the worst day is written as a scenario, with the report of its run', async () => {
  const args = ['worst', small, '--of', 'starvation', '--seeds', '20', '--events', '10000']
  const { code, out, err } = await home.run(args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^small, longest wait for a first test run: [\d,]+ days were searched\n/)
  expect(out).toMatch(/the worst of 20 random days: [\d.]+ min; this one is [\d.]+ times as bad\n/)
  expect(home.read('reports/small/report.html')).toContain('worst-starvation-of-small')
  const day: unknown = JSON.parse(home.read('reports/small/worst-starvation-of-small.json'))
  expect(day).toMatchObject({ queue: { concurrency: 1 }, expect: {} })
})

test('given that nothing worse was found, says so with numbers', async () => {
  const args = ['worst', small, '--of', 'evicted', '--seeds', '20', '--events', '0']
  expect(await home.run(args)).toEqual({
    code: 0,
    err: '',
    out: 'small, healthy pull requests evicted: 20 days were searched, and none is worse than the worst of 20 random days: 0\n',
  })
})

test.each([
  ['--of', 'mood', 'p99, starvation, broken, evicted'],
  ['--seeds', '0', 'a whole number from 1'],
])('%s %s is refused', async (option, value, expected) => {
  const { code, err } = await home.run(['worst', small, option, value])
  const fault = `worst: command line: expected ${expected}, got ${option} ${value}\n`
  expect({ code, err }).toEqual({ code: 2, err: fault })
})
