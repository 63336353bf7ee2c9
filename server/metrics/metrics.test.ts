import { describe, expect, test } from 'vitest'
import type { Millis, RecordedCommand } from '../../engine/index.ts'
import { silent } from '../testing/recording.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { linesOfState, stateOfLines } from '../store/snapshot-lines.ts'
import { Metrics } from './metrics.ts'

const minute: Millis = 60_000
const set = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0, concurrency: 1 }
const shop = 'github.com/acme/shop:main'
const ofShop = 'host="github.com",repo="acme/shop",branch="main",'

/** Queues whose metrics can be scraped at any minute. */
function watched(...names: readonly string[]) {
  const registry = new QueueRegistry(silent)
  let now: Millis = 0
  const metrics = new Metrics(() => now)
  const at = (minutes: number, command: RecordedCommand, name = shop): void => {
    now = minutes * minute
    const sequence = registry.sequence + 1
    const outcome = registry.apply({ sequence, at: now, queue: name, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }
  const scrape = async (minutes = now / minute): Promise<string[]> => {
    now = minutes * minute
    const lines = (await metrics.textOf([...registry.queues])).split('\n')
    return lines.map((line) => line.replace(ofShop, ''))
  }
  for (const [index, name] of (names.length > 0 ? names : [shop]).entries()) {
    const incarnation = `0c9a5a2e-5b1f-4a33-8c1d-00000000000${index}`
    at(0, { type: 'createQueue', incarnation, set }, name)
  }
  const submit = (minutes: number, number: number, name = shop): void =>
    at(minutes, { type: 'submitPullRequest', number }, name)
  const finish = (minutes: number, testRun: number, outcome: 'passed' | 'failed'): void =>
    at(minutes, { type: 'finishTestRun', testRun, outcome })
  return { at, scrape, submit, finish, registry }
}

describe('the metrics of a queue', () => {
  test('given a new queue, all are present and zero', async () => {
    const { scrape } = watched()

    const lines = await scrape()

    const values = lines.filter((line) => line.startsWith('mq_'))
    expect(values.length).toBeGreaterThan(100)
    expect(values.filter((line) => !line.endsWith(' 0'))).toEqual([])
    expect(lines).toContain(
      'mq_pr_conclusions_1h_total{queue_type="bisection",conclusion="failed"} 0',
    )
    expect(lines).toContain('mq_pr_wait_duration_1h_seconds_bucket{le="7200",queue_type="main"} 0')
  })

  test('show the pull requests in the queue, in the main line and in bisections', async () => {
    const { at, scrape, submit, finish } = watched()
    submit(0, 1)
    submit(1, 2)
    submit(1, 3)
    finish(10, 1, 'passed')
    // 2 and 3 fail as a batch and are bisected, while 4 is tested and 5 waits.
    finish(20, 2, 'failed')
    submit(20, 4)
    submit(20, 5)
    submit(21, 6)
    at(21, { type: 'reportPullRequest', number: 6, mergeable: false })

    const lines = await scrape()

    expect(lines).toContain('mq_depth_current{queue_type="main"} 2')
    expect(lines).toContain('mq_depth_current{queue_type="bisection"} 2')
    expect(lines).toContain('mq_awaiting_mergeability{queue_type="main"} 1')
    expect(lines).toContain('mq_testing_slots_active{queue_type="main"} 1')
    expect(lines).toContain('mq_testing_slots_active{queue_type="bisection"} 1')
  })

  test('count conclusions with their times and reasons', async () => {
    const { at, scrape, submit, finish } = watched()
    submit(0, 1)
    submit(1, 2)
    submit(1, 3)
    finish(10, 1, 'passed')
    finish(30, 2, 'failed')
    // The bisection tests 2 alone, and it passes. So 3 is the culprit.
    finish(45, 3, 'passed')
    at(46, { type: 'submitPullRequest', number: 9 })
    at(47, { type: 'cancelPullRequest', number: 9, reason: 'PR_CLOSED' })

    const lines = await scrape()

    expect(lines).toContain('mq_pr_conclusions_1h_total{queue_type="main",conclusion="merged"} 1')
    expect(lines).toContain(
      'mq_pr_conclusions_1h_total{queue_type="bisection",conclusion="merged"} 1',
    )
    expect(lines).toContain(
      'mq_pr_conclusions_1h_total{queue_type="bisection",conclusion="failed"} 1',
    )
    expect(lines).toContain(
      'mq_pr_conclusions_1h_total{queue_type="main",conclusion="cancelled"} 1',
    )
    // 1 and 9 start at once, 2 and 3 after 9 minutes.
    expect(lines).toContain('mq_pr_wait_duration_1h_seconds_sum{queue_type="main"} 1080')
    expect(lines).toContain('mq_pr_wait_duration_1h_seconds_count{queue_type="main"} 4')
    const bucket = 'mq_pr_wait_duration_1h_seconds_bucket'
    const below = lines.filter((line) => line.startsWith(bucket) && line.includes('"main"'))
    expect(below.map((line) => /le="(.*?)".* (\d)$/.exec(line)?.slice(1).join(' '))).toEqual([
      ...['60 2', '300 2', '600 4', '900 4', '1800 4', '3600 4', '5400 4', '7200 4', '+Inf 4'],
    ])
    // 10 minutes for 1, 20 for each of the batch, and 1 until 9 is closed.
    expect(lines).toContain('mq_pr_test_duration_1h_seconds_sum{queue_type="main"} 3060')
    expect(lines).toContain('mq_pr_test_duration_1h_seconds_sum{queue_type="bisection"} 1800')
    expect(lines).toContain('mq_pr_time_in_queue_1h_seconds_sum{queue_type="main"} 600')
    expect(lines).toContain('mq_pr_time_in_queue_1h_seconds_sum{queue_type="bisection"} 2640')
    expect(lines).toContain('mq_test_runs_total{queue_type="main",outcome="passed"} 1')
    expect(lines).toContain('mq_test_runs_total{queue_type="main",outcome="failed"} 1')
    expect(lines).toContain('mq_test_runs_total{queue_type="main",outcome="cancelled"} 1')
    expect(lines).toContain('mq_test_runs_total{queue_type="bisection",outcome="passed"} 1')
    expect(lines).toContain('mq_test_runs_saved_total{queue_type="bisection"} 1')
    expect(lines).toContain(
      'mq_pull_requests_total{queue_type="main",conclusion="cancelled",reason="PR_CLOSED"} 1',
    )
  })

  test('drop values of the last hour after an hour, and keep counters', async () => {
    const { at, scrape, submit, finish } = watched()
    submit(0, 1)
    at(5, { type: 'restartTests', number: 1 })
    finish(20, 2, 'passed')

    const within = await scrape(64)
    const later = await scrape(80)

    expect(within).toContain('mq_pr_restarts_1h_total{queue_type="main"} 1')
    expect(within).toContain('mq_pr_conclusions_1h_total{queue_type="main",conclusion="merged"} 1')
    expect(within).toContain('mq_pr_wait_duration_1h_seconds_count{queue_type="main"} 0')
    expect(later).toContain('mq_pr_restarts_1h_total{queue_type="main"} 0')
    expect(later).toContain('mq_pr_conclusions_1h_total{queue_type="main",conclusion="merged"} 0')
    expect(later).toContain('mq_test_runs_total{queue_type="main",outcome="passed"} 1')
  })

  test('after a restart, are the same, counters included', async () => {
    const { scrape, submit, finish, registry } = watched()
    submit(0, 1)
    finish(10, 1, 'passed')
    const before = await scrape(20)

    const state = stateOfLines(registry, linesOfState(registry.state()))
    const restarted = new QueueRegistry(silent, state)
    const text = await new Metrics(() => 20 * minute).textOf([...restarted.queues])

    const after = text.replaceAll(ofShop, '').split('\n')
    expect(after).toEqual(before)
    expect(after).toContain('mq_test_runs_total{queue_type="main",outcome="passed"} 1')
  })

  //
  test('of repositories with the same name on two hosts stay apart', async () => {
    const other = 'gitlab.com/acme/shop:main'
    const { scrape, submit } = watched(shop, other)
    submit(0, 1)
    submit(0, 1, other)
    submit(0, 2, other)

    const lines = await scrape()

    expect(lines.filter((line) => line.startsWith('mq_depth_current{'))).toEqual([
      'mq_depth_current{queue_type="main"} 1',
      'mq_depth_current{queue_type="bisection"} 0',
      'mq_depth_current{host="gitlab.com",repo="acme/shop",branch="main",queue_type="main"} 2',
      'mq_depth_current{host="gitlab.com",repo="acme/shop",branch="main",queue_type="bisection"} 0',
    ])
    const heads = lines.flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? [])
    expect(new Set(heads).size).toBe(heads.length)
    expect(heads.length).toBeGreaterThan(8)
  })
})
