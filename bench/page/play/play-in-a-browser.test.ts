/** Readers of the playground, in a real browser under the policy of the server. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { matrix } from '../../../engine/testing/matrix.ts'
import { parseScenario } from '../../../sim/scenario/check.ts'
import { press, settled, tiles } from './testing/opened.ts'
import { describePlayground } from '../testing/in-browser.ts'
import { faultsByKey, faultsInAllSizes } from '../../../sim/report/testing/in-browser.ts'

const own = {
  name: 'my-team',
  description: 'Mine: <b>bold</b>.',
  queue: { concurrency: 3 },
  traffic: { count: 60, arrivals: { perHour: 8 }, breakRate: 0.1 },
}

describePlayground('a reader', (open) => {
  /** Opens the page and hands it over. Nothing may be said on the console. */
  async function reading(fragment: string, read: (page: Page) => Promise<void>): Promise<void> {
    const { page, noise } = await open(fragment)
    await read(page)
    expect(noise).toEqual([])
  }

  const fragmentOf = (page: Page): string => new URL(page.url()).hash

  test('moves a slider, sees the answer beside today’s, and sends the link to a colleague', () =>
    reading('#from=small-team', async (page) => {
      const before = await tiles(page)
      await press(page, 'Slots', 'ArrowLeft')
      await page.getByRole('button', { name: 'today: 2 runs' }).waitFor()
      await settled(page)
      const after = await tiles(page)
      expect(after['half land within']?.[0]).not.toBe(before['half land within']?.[0])
      expect(after['half land within']?.[1]).toContain(`today ${before['half land within']?.[0]}`)
      await page.waitForURL(/slots=1/)
      const { page: colleague } = await open(fragmentOf(page))
      expect(await tiles(colleague)).toEqual(after)
      expect(await colleague.getByLabel('Slots', { exact: true }).inputValue()).toBe('1')
    }))

  test('sets a number and goes back to today’s setting', matrix, () =>
    reading('#from=small-team', async (page) => {
      const before = await tiles(page)
      await page.getByLabel('Batch, as a number').fill('5')
      await page.getByLabel('Batch, as a number').press('Enter')
      await page.getByRole('columnheader', { name: 'Yours' }).waitFor()
      await page.getByRole('button', { name: 'All as today' }).click()
      await page.getByRole('heading', { name: 'Today’s setting in figures' }).waitFor()
      await settled(page)
      expect(await tiles(page)).toEqual(before)
    }),
  )

  test('drops a scenario file, changes it, shares it and downloads it', matrix, () =>
    reading('', async (page) => {
      const data = await page.evaluateHandle((text) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], 'my-team.json', { type: 'application/json' }))
        return transfer
      }, JSON.stringify(own))
      await page.dispatchEvent('main', 'drop', { dataTransfer: data })
      await page.getByText('my-team.json is simulated.').waitFor()
      await press(page, 'Batch', 'ArrowRight')
      await settled(page)
      expect(await page.getByText(own.description).count()).toBe(1)
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download' }).click()
      const file = await downloading
      expect(file.suggestedFilename()).toBe('my-team.json')
      const downloaded = parseScenario(readFileSync(await file.path()), 'downloaded')
      expect(downloaded).toEqual({
        ...own,
        queue: { ...own.queue, batch: true, batchingMinSize: 2 },
      })
      await page.waitForURL(/batch=2/)
      const { page: colleague } = await open(fragmentOf(page))
      expect(await tiles(colleague)).toEqual(await tiles(page))
    }),
  )

  test('drops a file with faults, and reads what they are', () =>
    reading('#from=small-team', async (page) => {
      const before = await tiles(page)
      await page.getByLabel('Open a scenario…').setInputFiles({
        name: 'bad.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"name": "<img src=x>", "queue": {"concurrency": 0}}'),
      })
      await page.getByText('This scenario cannot be used.').waitFor()
      await page.getByText('/queue/concurrency: expected').waitFor()
      expect(await tiles(page)).toEqual(before)
    }))

  test.each([
    ['#file=AAAA', 'The link is damaged'],
    ['#from=nowhere&colour=red', 'parts that this page does not know: nowhere, colour'],
  ])('follows the link %s and is told what is wrong with it', matrix, (fragment, said) =>
    reading(fragment, async (page) => {
      await page.getByText(said).waitFor()
      expect(await page.getByRole('heading', { name: 'The line' }).count()).toBe(1)
    }),
  )

  test('plays the line, pauses it, steps and scrubs', () =>
    reading('#from=small-team', async (page) => {
      const instant = page.getByLabel('Instant')
      const clock = page.locator('.clock')
      await instant.press('Home')
      expect(await clock.textContent()).toBe('Day 1, 00:00')
      await page.getByRole('button', { name: 'Play' }).click()
      await page.locator('.clock:not(:text("Day 1, 00:00"))').waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      const paused = await instant.inputValue()
      await page.getByRole('button', { name: 'Next change' }).click()
      expect(Number(await instant.inputValue())).toBeGreaterThanOrEqual(Number(paused))
      await instant.press('End')
      await page.getByText('0 in the queue: 0 tested, 0 waiting. 106 merged so far.').waitFor()
    }))

  test('wants no motion: sees the end state and goes step by step', matrix, async () => {
    const { page } = await open('#from=small-team')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0)
    await page.getByText('106 merged so far.').waitFor()
    await page.getByRole('button', { name: 'Change before' }).click()
    await page.getByText('105 merged so far.').waitFor()
  })
})

// The playground for everybody: sizes, light and dark, keyboard and screen reader.

const fragments = ['#from=small-team', '#from=five-hundred-an-hour&slots=60&batch=20']

describePlayground('the playground', (open) => {
  test.each(fragments)('given %s, fits at every size, light and dark', matrix, async (at) => {
    const { page, noise } = await open(at)
    expect(await faultsInAllSizes(page)).toEqual([])
    expect(noise).toEqual([])
  })

  test('at first shows the adaptive policy beside today’s setting, and on a phone keeps it in sight and covers nothing', async () => {
    const { page } = await open('', { viewport: { width: 390, height: 844 } })
    expect(await page.getByLabel('Adaptive', { exact: true }).isChecked()).toBe(true)
    const figures = await tiles(page)
    expect(figures['half land within']?.[1]).toContain('today ')
    const placeOf = (selector: string) => page.locator(selector).boundingBox()
    const [busy, all] = [await placeOf('.busy'), await placeOf('.answer .tiles')]
    expect(busy?.y).toBeGreaterThan((all?.y ?? 0) + (all?.height ?? 0))
    await page.getByLabel('Seed', { exact: true }).scrollIntoViewIfNeeded()
    const top = await page.locator('.answer').evaluate((each) => each.getBoundingClientRect().top)
    expect(top).toBe(0)
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(300)
  })

  // S-300
  test('says who waits for whom in a stack', async () => {
    const { page } = await open('#from=stacks')
    const chip = page.getByText(/^\d+ on \d+/).first()
    expect(await chip.textContent()).toMatch(/^\d+ on \d+/)
  })

  test('everything can be reached by key', async () => {
    const { page } = await open('#from=small-team&slots=3')
    expect(await faultsByKey(page)).toEqual([])
  })
})
