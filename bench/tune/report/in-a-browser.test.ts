import { afterAll, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { describeInBrowser } from '../../../sim/report/testing/in-browser.ts'
import { TunePages } from './testing/tune-page.ts'

const home = new TunePages()
afterAll(() => home.remove())

const few = ['--seeds', '10'] as const

/** More traffic than one slot can test without batches: batches must win. */
const flood = home.scenario('flood', {
  description: 'More traffic than one slot can test without batches.',
  queue: { concurrency: 1 },
  traffic: { count: 40, arrivals: { perHour: 30 }, breakRate: 0.02 },
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

  test('given another queue, shows its setting, and Mergeyard beside it', matrix, async () => {
    const { page } = await open(await pageOf(other))
    const verdict = "Set batch size 8, Mergify's merge queue"
    expect(await page.locator('.verdict').textContent()).toBe(verdict)
    const file = await page.locator('.command').textContent()
    expect(file).toContain('    batch_size: 8\n    batch_max_wait_time: 5 minutes\n')
    expect(await page.locator('#beside h2').textContent()).toBe('Beside it: Mergeyard')
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
