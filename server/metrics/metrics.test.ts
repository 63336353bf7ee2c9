import { describe, expect, test } from 'vitest'
import type { Millis } from '../../engine/index.ts'
import { silent } from '../testing/recording.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { linesOfState, stateOfLines } from '../store/snapshot-file.ts'
import { metricsOf } from './metrics.ts'

const minute: Millis = 60_000
const ofShop = 'host="github.com",repo="acme/shop",branch="main",'

/** A queue whose metrics can be scraped at any minute. */
class Watched extends DrivenQueue {
  constructor() {
    super({ batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0, concurrency: 1 })
  }

  async scrape(minutes = this.registry.at / minute): Promise<string[]> {
    const text = await metricsOf([...this.registry.queues], minutes * minute)
    return text.split('\n').map((line) => line.replace(ofShop, ''))
  }
}

describe('the metrics of a queue', () => {
  test('given a new queue, all are present and zero', async () => {
    const driven = new Watched()

    const lines = await driven.scrape()

    const values = lines.filter((line) => line.startsWith('mq_'))
    expect(values.length).toBeGreaterThan(100)
    expect(values.filter((line) => !line.endsWith(' 0'))).toEqual([])
    expect(lines).toContain(
      'mq_pr_conclusions_1h_total{queue_type="bisection",conclusion="failed"} 0',
    )
    expect(lines).toContain('mq_pr_wait_duration_1h_seconds_bucket{le="7200",queue_type="main"} 0')
  })

  test('show the pull requests in the queue, in the main line and in bisections', async () => {
    const driven = new Watched()
    driven.submit(0, 1)
    driven.submit(1, 2, 3)
    driven.end(10, 1, 'passed')
    // 2 and 3 fail as a batch and are bisected, while 4 is tested and 5 waits.
    driven.end(20, 2, 'failed')
    driven.submit(20, 4, 5)
    driven.submit(21, 6)
    driven.at(21, { type: 'reportPullRequest', number: 6, mergeable: false })

    const lines = await driven.scrape()

    expect(lines).toContain('mq_depth_current{queue_type="main"} 2')
    expect(lines).toContain('mq_depth_current{queue_type="bisection"} 2')
    expect(lines).toContain('mq_awaiting_mergeability{queue_type="main"} 1')
    expect(lines).toContain('mq_testing_slots_active{queue_type="main"} 1')
    expect(lines).toContain('mq_testing_slots_active{queue_type="bisection"} 1')
  })

  test('count conclusions with their times and reasons', async () => {
    const driven = new Watched()
    driven.submit(0, 1)
    driven.submit(1, 2, 3)
    driven.end(11, 1, 'passed')
    driven.end(30, 2, 'failed')
    // The bisection tests 2 alone, and it passes. So 3 is the culprit.
    driven.end(45, 3, 'passed')
    driven.submit(46, 9)
    driven.at(47, { type: 'cancelPullRequest', number: 9, reason: 'PR_CLOSED' })

    const lines = await driven.scrape()

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
    // 1 and 9 start at once, 2 and 3 after 10 minutes: a limit belongs to its bucket.
    expect(lines).toContain('mq_pr_wait_duration_1h_seconds_sum{queue_type="main"} 1200')
    expect(lines).toContain('mq_pr_wait_duration_1h_seconds_count{queue_type="main"} 4')
    const bucket = 'mq_pr_wait_duration_1h_seconds_bucket'
    const below = lines.filter((line) => line.startsWith(bucket) && line.includes('"main"'))
    expect(below.map((line) => /le="(.*?)".* (\d)$/.exec(line)?.slice(1).join(' '))).toEqual([
      ...['60 2', '300 2', '600 4', '900 4', '1800 4', '3600 4', '5400 4', '7200 4', '+Inf 4'],
    ])
    // 11 minutes for 1, 19 for each of the batch, and 1 until 9 is closed.
    expect(lines).toContain('mq_pr_test_duration_1h_seconds_sum{queue_type="main"} 3000')
    expect(lines).toContain('mq_pr_test_duration_1h_seconds_sum{queue_type="bisection"} 1800')
    expect(lines).toContain('mq_pr_time_in_queue_1h_seconds_sum{queue_type="main"} 660')
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
    const driven = new Watched()
    driven.submit(0, 1)
    driven.at(5, { type: 'restartTests', number: 1 })
    driven.end(20, 2, 'passed')

    const within = await driven.scrape(64)
    const later = await driven.scrape(80)

    expect(within).toContain('mq_pr_restarts_1h_total{queue_type="main"} 1')
    expect(within).toContain('mq_pr_conclusions_1h_total{queue_type="main",conclusion="merged"} 1')
    expect(within).toContain('mq_pr_wait_duration_1h_seconds_count{queue_type="main"} 0')
    expect(later).toContain('mq_pr_restarts_1h_total{queue_type="main"} 0')
    expect(later).toContain('mq_pr_conclusions_1h_total{queue_type="main",conclusion="merged"} 0')
    expect(later).toContain('mq_test_runs_total{queue_type="main",outcome="passed"} 1')
  })

  test('after a restart, are the same, counters included', async () => {
    const driven = new Watched()
    driven.submit(0, 1)
    driven.end(10, 1, 'passed')
    const before = await driven.scrape(20)

    const state = stateOfLines(driven.registry, linesOfState(driven.registry.state()))
    const restarted = new QueueRegistry(silent, state)
    const text = await metricsOf([...restarted.queues], 20 * minute)

    const after = text.replaceAll(ofShop, '').split('\n')
    expect(after).toEqual(before)
    expect(after).toContain('mq_test_runs_total{queue_type="main",outcome="passed"} 1')
  })
})

// A scrape takes several turns of the event loop and shows the instant at which it began.

//
test('commands during a scrape do not change what it shows, and the loop turns meanwhile', async () => {
  const driven = new DrivenQueue({ concurrency: 1000 })
  for (let number = 1; number <= 2000; number++) driven.submit(1, number)
  const scrape = () => metricsOf([driven.queue], driven.registry.at)
  const before = await scrape()

  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const scraping = scrape()
  for (let testRun = 1; testRun <= 500; testRun++) driven.end(2, testRun, 'passed')
  const during = await scraping
  isOver = true

  expect(during).toBe(before)
  // 2,000 pull requests in slices of 500.
  expect(turns).toBeGreaterThanOrEqual(4)
  expect(await scrape()).toContain('conclusion="merged"} 500')
})

test('with many queues each metric has one header, and all series that single scrapes have', async () => {
  const driven = new DrivenQueue({})
  for (let index = 1; index < 45; index++) {
    const queue = `github.com/acme/shop-${index}:main`
    driven.at(0, driven.created.command, { queue })
    driven.at(0, { type: 'submitPullRequest', number: 1 }, { queue })
  }
  const queues = [...driven.registry.queues]
  const seriesOf = (text: string): string[] =>
    text.split('\n').filter((line) => line.startsWith('mq_'))

  const text = await metricsOf(queues, 0)

  const single: string[] = []
  for (const queue of queues) single.push(...seriesOf(await metricsOf([queue], 0)))
  expect(seriesOf(text).toSorted()).toEqual(single.toSorted())
  // The series of a metric follow its only header.
  const blocks = text.trimEnd().split('\n\n')
  expect(blocks.length).toBeGreaterThan(8)
  for (const block of blocks) {
    const [, name = ''] = /^# HELP (\w+) .*\n# TYPE/.exec(block) ?? []
    expect(seriesOf(block).every((line) => line.startsWith(name))).toBe(true)
    expect(block.match(/^# HELP/gm)).toHaveLength(1)
  }
})
