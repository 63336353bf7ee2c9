/**
 * Two people watch a queue while twelve pull requests pass through it. At every step their pages show
 * what the API and the metrics say of the same moment; also after the server was killed.
 */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { childToken, startChild } from '../../cli/testing/program.ts'
import { describeInBrowser, signedIn } from '../testing/in-browser.ts'

/**
 * What a page shows, read from its elements, or as the API and the metrics say it. All lists are in ascending order,
 * because the API and the page list by different rules.
 */
type Seen = {
  /** How many are in each state. */
  readonly figures: Readonly<Record<string, number>>
  /** The numbers that are shown as being in the queue. */
  readonly numbers: readonly number[]
  /** The pull requests of each run in progress, as "1+2". */
  readonly runs: readonly string[]
  readonly slots: number
}

const words = {
  TESTING: 'testing',
  TESTS_PASSED: 'passed',
  PENDING_FAILURE: 'held',
  PENDING: 'waiting',
  NOT_READY: 'not ready',
} as const

const counted = Object.values(words)

async function seenOn(page: Page): Promise<Seen> {
  const read = await page.evaluate<{
    figures: [string, string][]
    numbers: string[]
    runs: string[]
  }>(`(() => {
    const numbersIn = (element, selector) =>
      [...element.querySelectorAll(selector)].map((link) => link.dataset.row)
    return {
      figures: [...document.querySelectorAll('[data-figure]')].map((each) =>
        [each.dataset.figure, each.querySelector('dd').textContent]),
      numbers: [
        ...numbersIn(document, '.line .group [data-row], .waiting [data-row]'),
        ...[...document.querySelectorAll('.search .members > li')]
          .filter((each) => !each.querySelector('.is-failed, .is-merged, .is-cancelled'))
          .flatMap((each) => numbersIn(each, '[data-row]')),
      ],
      runs: [
        ...[...document.querySelectorAll('.group')].filter((each) => each.querySelector('.run'))
          .map((each) => numbersIn(each, '[data-row]').join('+')),
        ...[...document.querySelectorAll('.step[data-outcome=""]')]
          .map((each) => each.dataset.tested),
      ],
    }
  })()`)
  const found = new Map(read.figures)
  const numberOf = (name: string): number => Number(found.get(name)?.replaceAll(',', '') ?? 0)
  return {
    figures: Object.fromEntries(counted.map((name) => [name, numberOf(name)])),
    numbers: [...new Set(read.numbers)].map(Number).sort((a, b) => a - b),
    runs: read.runs.sort(),
    slots: Number.parseInt(found.get('slots used') ?? '', 10),
  }
}

async function saidByApi(client: Client): Promise<Seen> {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  const testRuns = await client.runs()
  const count = (state: string): number =>
    enqueuedPullRequests.filter((each) => each.state === state).length
  return {
    figures: Object.fromEntries(Object.entries(words).map(([state, word]) => [word, count(state)])),
    numbers: enqueuedPullRequests.map(({ prNumber }) => prNumber).sort((a, b) => a - b),
    runs: testRuns
      .map(({ testedPullRequests }) => testedPullRequests.map(({ prNumber }) => prNumber).join('+'))
      .sort(),
    slots: testRuns.filter(({ isBisection }) => !isBisection).length,
  }
}

/** The depth and the slots of the metrics, which count in another way. */
async function saidByMetrics(client: Client): Promise<{ depth: number; slots: number }> {
  const { text } = await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((all, [, value]) => all + Number(value), 0)
  return {
    depth: sum(/^mq_depth_current\{[^}]*\} (\d+)$/gm),
    slots: sum(/^mq_testing_slots_active\{[^}]*queue_type="main"[^}]*\} (\d+)$/gm),
  }
}

const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
const batches = { batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 60, concurrency: 2 }

describeInBrowser('two pages watch a queue', (visit) => {
  test('twelve pass, one is cancelled, one breaks, and the server is killed', async () => {
    const data = temporaryFolder()
    let server = await startChild(data)
    const { url } = server
    const client = new Client(url, childToken, new Contract())
    await client.ok('createQueue', { ...main, ...batches })
    const desk = await signedIn(visit, url, childToken)
    const phone = await signedIn(visit, url, childToken, { width: 390, height: 844 })
    const pages = [desk, phone]

    /** Both pages show the moment after the last command, and the API says the same of it. */
    const agree = async (step: string): Promise<void> => {
      const sequence = await lastSequence(desk)
      for (const page of pages) {
        await expect
          .poll(() => sequenceOf(page), { message: step })
          .toBeGreaterThanOrEqual(sequence)
        const seen = await seenOn(page)
        expect(seen, step).toEqual(await saidByApi(client))
        const { depth, slots } = await saidByMetrics(client)
        expect(seen.numbers.length - (seen.figures['not ready'] ?? 0), step).toBe(depth)
        expect(seen.slots, step).toBe(slots)
      }
    }
    /** All runs in progress pass, and those that follow. */
    const passAll = async (): Promise<void> => {
      while ((await client.runs()).length > 0) {
        await client.report('passed')
        await agree('a run passed')
      }
    }

    // A queue is made, and twelve are submitted: two batches run, and four wait.
    await agree('an empty queue')
    for (const number of numbers) {
      await client.submit(number)
      await agree(`submitted ${number}`)
    }
    expect((await seenOn(desk)).runs).toEqual(['1+2+3+4', '5+6+7+8'])

    // Somebody cancels by the page what waits.
    await desk.getByRole('button', { name: 'Actions for 11' }).click()
    await desk.getByRole('button', { name: 'Cancel…' }).click()
    await desk.getByRole('button', { name: 'Cancel #11' }).click()
    await desk.locator('dialog').waitFor({ state: 'detached' })
    // The table holds still while it is used.
    await desk.mouse.move(0, 0)
    await desk.locator('main').focus()
    await phone.locator('[data-ended="11"]').waitFor()
    await agree('cancelled 11')

    // The first batch fails. Its bisection grows by a step at a time until 3 is convicted.
    await client.report('failed', { of: 1 })
    await agree('the batch of 1 to 4 failed')
    expect(await desk.locator('[data-bisection] h3').textContent()).toContain('#1, #2, #3 and #4')
    let steps = await stepsOf(desk)
    let most = 0
    for (;;) {
      const run = (await client.runs()).find(({ isBisection }) => isBisection)
      if (!run) break
      const all = [...run.testedPullRequests.map(({ prNumber }) => prNumber), ...run.dependentPrs]
      const outcome = all.includes(3) ? 'failed' : 'passed'
      await client.ok('reportTestRun', { testRunId: run.testRunId, outcome })
      await agree(`the bisection run of ${all.join()} ${outcome}`)
      const next = await stepsOf(desk)
      most = Math.max(most, next.length)
      // It only grows, until it ends.
      expect(next.length === 0 || next.length >= steps.length).toBe(true)
      expect(await stepsOf(phone)).toEqual(next)
      steps = next
    }
    expect(most).toBeGreaterThan(2)
    await phone.locator('[data-ended="3"].is-failed').waitFor()

    // The server is killed and comes back. The pages catch up without a reload.
    for (const page of pages) await page.evaluate('globalThis.isTheSamePage = true')
    await server.end('SIGKILL')
    for (const page of pages) await page.getByText(/^Not live since/).waitFor()
    server = await startChild(data, '--port', new URL(url).port)
    for (const page of pages) await page.locator('.live.is-live').waitFor()
    await agree('the server is back')

    // The others pass.
    await passAll()
    // The last batch was not full: without a wait it starts.
    await client.ok('updateQueue', { ...main, batchingMaxWaitTimeMinutes: 0 })
    await agree('batches no longer wait')
    await passAll()
    for (const page of pages) {
      await page.getByText('The queue is empty.').waitFor()
      expect(await page.evaluate('globalThis.isTheSamePage')).toBe(true)
      const ended = page.locator('.ended [data-ended]')
      expect(await ended.count()).toBe(12)
      expect(await page.locator('.ended [data-ended].is-merged').count()).toBe(10)
    }

    // The page of one pull request says what has happened to it.
    await desk.getByRole('link', { name: '#3', exact: false }).first().click()
    await desk.locator('.now[data-state="FAILED"]').waitFor()
    expect(await desk.locator('.steps li').count()).toBeGreaterThan(2)
    await server.end()
  })
})

const sequenceOf = (page: Page): Promise<number> =>
  page.evaluate<number>('Number(document.querySelector("main").dataset.sequence)')

/** The last command that a fresh stream shows. */
function lastSequence(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const queue = location.pathname.split('/')[2]
    const end = new AbortController()
    const { body } = await fetch('/page/stream?queue=' + queue, { signal: end.signal })
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!/data: .*\\n\\n/.test(text)) text += (await reader.read()).value
    end.abort()
    return JSON.parse(/data: (.*)\\n/.exec(text)[1]).sequence
  })()`)
}

const stepsOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.tree ul .step')]
    .map(({ dataset }) => dataset.tested + ' ' + dataset.outcome)`)
