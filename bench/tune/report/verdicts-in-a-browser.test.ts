import { afterAll, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../../../sim/report/testing/in-browser.ts'
import type { TuneDocument } from '../document.ts'
import { TunePages } from './testing/tune-page.ts'

const home = new TunePages()
afterAll(() => home.remove())

const steady = home.scenario('steady', {
  queue: {
    concurrency: 3,
    batch: true,
    batchingMinSize: 4,
    batchingMaxWaitTimeMinutes: 2,
    canOptimisticallyMerge: true,
  },
  suiteFlakes: { perRun: 0.01 },
  suite: { minutes: { median: 10, p95: 20 } },
  traffic: { count: 60, arrivals: { perHour: 20 }, breakRate: 0.02 },
})
const quiet = home.scenario('quiet', {
  queue: { concurrency: 5 },
  suite: { minutes: { uniform: [5, 10] } },
  traffic: { count: 20, arrivals: { perHour: 1 } },
})
const empty = home.scenario('empty', { pullRequests: [] })
const fixed = home.scenario('fixed', {
  queue: { concurrency: 1 },
  pullRequests: [{ number: 1 }, { number: 2 }, { number: 3, testMinutes: 5 }],
})
/** Four pull requests every twelve hours, and one slot: 25 days. */
const bursts = home.scenario('bursts', {
  queue: { concurrency: 1 },
  suiteFlakes: { perRun: 0.03 },
  pullRequests: Array.from({ length: 200 }, (_, index) => ({
    number: index + 1,
    at: 720 * Math.floor(index / 4),
  })),
})

const kinds = {
  keep: [steady, '--batch', '4,5', '--wait', '2,3', '--seeds', '12', '--budget', '2s'],
  unsure: [steady, '--batch', 'off,4', '--seeds', '4', '--budget', '0.3s'],
  idle: [quiet, '--batch', 'off,4', '--seeds', '12', '--budget', '0.3s'],
  empty: [empty, '--seeds', '12', '--budget', '0.3s'],
  always: [fixed, '--batch', 'off,4', '--seeds', '12', '--budget', '0.3s'],
  change: [bursts, '--batch', 'off,4', '--wait', '0,5', '--seeds', '12', '--budget', '2s'],
} as const satisfies Partial<Record<TuneDocument['verdict']['kind'], readonly string[]>>

type Kind = keyof typeof kinds
const names: readonly Kind[] = ['keep', 'unsure', 'idle', 'empty', 'always', 'change']

describeInBrowser('the page of each verdict', ({ open, faultsIn }) => {
  const pageOf = async (kind: Kind): Promise<string> => (await home.tune(kinds[kind])).page
  const documentOf = async (kind: Kind): Promise<TuneDocument> => {
    const document: TuneDocument = JSON.parse((await home.tune(kinds[kind])).json)
    return document
  }
  const opened = new Map<Kind, Page>()
  /** The page for tests that only read it: opened once. */
  async function openedOf(kind: Kind): Promise<Page> {
    const page = opened.get(kind) ?? (await open(await pageOf(kind))).page
    opened.set(kind, page)
    return page
  }
  async function textsIn(kind: Kind, selector: string): Promise<string[]> {
    return (await openedOf(kind)).locator(selector).allTextContents()
  }

  test('has no fault that no page may have', matrix, async () => {
    for (const kind of names) {
      expect((await documentOf(kind)).verdict.kind).toBe(kind)
      expect(await faultsIn(await pageOf(kind))).toEqual([])
    }
  })

  // S-231
  test('has no command without a change', async () => {
    for (const kind of ['keep', 'empty', 'always'] as const) {
      expect(await textsIn(kind, '.command')).toEqual([])
    }
  })

  // S-231
  test('given that nothing lands, shows no chart and no table', matrix, async () => {
    expect(await textsIn('empty', 'main h2')).toEqual(['Assumptions'])
    expect(await textsIn('empty', '.tiles, table, figure')).toEqual([])
  })

  // S-231
  test('given that nothing is drawn, speaks of no interval and no comparison', async () => {
    const text = (await textsIn('always', 'header, main')).join(' ')
    expect(text).toContain('No advice for other days: nothing is drawn')
    expect(text).toContain('Nothing is drawn, so no setting has an interval.')
    expect(text).not.toMatch(/95 %|Holm/)
  })

  // S-232
  test('shows how far the advice holds, with the numbers of the document', matrix, async () => {
    const results = (await documentOf('keep')).sensitivity ?? []
    expect(results.length).toBeGreaterThan(0)
    expect(await textsIn('keep', '#sensitivity tbody th')).toEqual(results.map(({ name }) => name))
    expect(await valuesIn(await openedOf('keep'), '#sensitivity')).toEqual(
      results.flatMap(({ today, times }) => [today, ...(times === null ? [] : [times])]),
    )
  })

  // S-235
  test('shows the stretches of a history', matrix, async () => {
    const stretches = (await documentOf('change')).stretches
    expect(stretches).toHaveLength(4)
    expect(await textsIn('change', '#stretches tbody tr')).toHaveLength(4)
    const cells = stretches.map(({ isBetter }) => (isBetter ? 'better on average' : 'not better'))
    expect(await textsIn('change', '#stretches td:last-child')).toEqual(cells)
    expect(await textsIn('change', '.command')).toHaveLength(1)
  })

  test('has no two rows that look alike, and no row of zeros', matrix, async () => {
    for (const kind of names) {
      const page = await openedOf(kind)
      const rows = await page.evaluate<string[]>(`
        [...document.querySelectorAll('#settings table')].flatMap((table, index) =>
          [...table.querySelectorAll('tbody tr')].map((row) =>
            [index, ...[...row.cells].slice(1).map((cell) => cell.textContent)].join(' | ')))`)
      expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([])
      const today = await page.evaluate<string[][]>(`
        [...document.querySelectorAll('#today tbody tr')].map((row) =>
          [...row.querySelectorAll('td.right')].map((cell) => cell.textContent))`)
      const empties = today.filter((cells) => cells.every((cell) => /^(always 0|-)$/.test(cell)))
      expect(empties).toEqual([])
    }
  })
})

function valuesIn(page: Page, selector: string): Promise<number[]> {
  return page.evaluate<number[]>(
    `[...document.querySelectorAll('${selector} data')].map((each) => Number(each.value))`,
  )
}
