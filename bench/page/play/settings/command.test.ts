import { expect, test } from 'vitest'
import { simCommand } from './command.ts'

test('given settings, the command quotes what a shell would read otherwise', () => {
  expect(simCommand('scenarios/small-team.json', [])).toBe(
    'npm run -s sim -- scenarios/small-team.json --json --no-report',
  )
  const settings = ['queue.concurrency=3', 'suite.minutes={"median":5,"p95":9}']
  expect(simCommand("my team's.json", settings)).toBe(
    `npm run -s sim -- "my team's.json" --set queue.concurrency=3 --set 'suite.minutes={"median":5,"p95":9}' --json --no-report`,
  )
})
