import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { matrix } from '../../../engine/testing/matrix.ts'
import { describeInBrowser } from '../../../sim/report/testing/in-browser.ts'
import type { TuneDocument } from '../document.ts'
import { CliFolder } from '../../cli/testing/cli-folder.ts'

class TunePages extends CliFolder {
  readonly #made = new Map<string, Promise<TuneOutput>>()

  /** Of one command line there is one run, because tests only read what it has written. */
  tune(args: readonly string[]): Promise<TuneOutput> {
    const key = args.join(' ')
    const made = this.#made.get(key) ?? this.#run(args, `run-${this.#made.size}`)
    this.#made.set(key, made)
    return made
  }

  async #run(args: readonly string[], folder: string): Promise<TuneOutput> {
    const { code } = await this.run(['tune', ...args, '--report', folder])
    if (code !== 0) throw new Error(`tune ended with ${code}`)
    return { page: this.read(`${folder}/tune.html`), json: this.read(`${folder}/tune.json`) }
  }
}

const home = new TunePages()

const few = ['--seeds', '10'] as const

/** More traffic than one slot can test without batches: batches must win. */
const flood = home.scenario('flood', {
  description: 'More traffic than one slot can test without batches.',
  queue: { concurrency: 1 },
  traffic: { count: 20, arrivals: { perHour: 30 }, breakRate: 0.02 },
  suiteFlakes: { perRun: 0.05, tests: [{ name: '</script><b>&"', rate: 0.01 }] },
})

const briefly = ['--budget', '0.3s'] as const
const grid = ['--batch', '1,4,8', '--wait', '1,5', '--depth', '1,2', '--seeds', '12'] as const
const sizes = ['--set', 'batch_size=1,8', '--set', 'batch_max_wait_time=300'] as const

/** A winner, one axis. */
const won = [flood, '--batch', 'off,8', ...few, ...briefly]
/** Three axes, dropped settings, and the current setting outside the grid. */
const crowded = [flood, ...grid, ...briefly]
/** The settings of another queue, with a configuration and Mergeyard beside it. */
const other = [flood, '--for', 'mergify', ...sizes, ...few, ...briefly]

const pageOf = async (args: readonly string[]): Promise<string> => (await home.tune(args)).page

describeInBrowser('the page of a tune run', ({ open, faultsIn }) => {
  test('has no fault that no page may have', async () => {
    for (const args of [won, crowded, other]) expect(await faultsIn(await pageOf(args))).toEqual([])
  })

  test('shows the recommendation without scrolling, and the command that sets it', async () => {
    const { page } = await open(await pageOf(won), {
      viewport: { width: 390, height: 844 },
    })
    const box = await page.locator('.verdict').boundingBox()
    expect(await page.locator('.verdict').textContent()).toBe('Set batch size 8')
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThan(844)
    expect(await page.locator('.command').textContent()).toContain('$MERGEYARD_TOKEN')
  })

  test('shows the answer, and the named settings, in the first screen', matrix, async () => {
    const { page } = await open(await pageOf(won), {
      viewport: { width: 1400, height: 900 },
    })
    const box = await page.locator('#named').boundingBox()
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThan(900)
    await page.close()
  })

  test('shows the figures of the document', async () => {
    const { page } = await open(await pageOf(other))
    const values = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#settings data')].map((each) => each.value)",
    )
    const { json } = await home.tune(other)
    expect(values.length).toBeGreaterThan(0)
    expect(values.filter((value) => !json.includes(`: ${value}`))).toEqual([])
    await page.close()
  })

  test('by keyboard, sorts a table up and down', async () => {
    const { page } = await open(await pageOf(crowded))
    const region = page.getByRole('region', { name: 'Settings of the final, table' })
    const head = region.getByRole('columnheader', { name: 'CI minutes' })
    const read = async (): Promise<number[]> => {
      const texts = await region.locator('tbody td:nth-child(4)').allTextContents()
      return texts.map((text) => Number.parseFloat(text.replace('always ', '')))
    }
    await head.getByRole('button').focus()
    await page.keyboard.press('Enter')
    const up = await read()
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    expect(up).toEqual(up.toSorted((a, b) => a - b))
    await page.keyboard.press('Enter')
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    expect(await read()).toEqual(up.toSorted((a, b) => b - a))
    await page.close()
  })

  test('given a table wider than the screen, the keyboard scrolls it', matrix, async () => {
    const { page } = await open(await pageOf(crowded), {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('region', { name: 'Settings of the final, table' }).focus()
    await page.keyboard.press('ArrowRight')
    // The page forbids eval, which a wait inside the page would need, so the test polls.
    const scrolled = (): Promise<unknown> => page.evaluate('document.activeElement.scrollLeft')
    await expect.poll(scrolled).toBeGreaterThan(0)
  })
})

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
  const pageOfKind = async (kind: Kind): Promise<string> => (await home.tune(kinds[kind])).page
  const documentOf = async (kind: Kind): Promise<TuneDocument> => {
    const document: TuneDocument = JSON.parse((await home.tune(kinds[kind])).json)
    return document
  }
  const opened = new Map<Kind, Page>()
  /** The page for tests that only read it: opened once. */
  async function openedOf(kind: Kind): Promise<Page> {
    const page = opened.get(kind) ?? (await open(await pageOfKind(kind))).page
    opened.set(kind, page)
    return page
  }
  async function textsIn(kind: Kind, selector: string): Promise<string[]> {
    return (await openedOf(kind)).locator(selector).allTextContents()
  }

  test('has no fault that no page may have', matrix, async () => {
    for (const kind of names) {
      expect((await documentOf(kind)).verdict.kind).toBe(kind)
      expect(await faultsIn(await pageOfKind(kind))).toEqual([])
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
    const text = (await textsIn('keep', 'header, main')).join(' ')
    expect(text).toMatch(/corrected for three figures of \d settings \(Holm\)/)
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

// The page and the document of a real tune run, for tests.

type TuneOutput = { readonly page: string; readonly json: string }
