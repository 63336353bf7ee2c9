/** The tables of the live page: what is starred, and who waits. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBrowserMissing, TestBrowser } from '../../../sim/report/testing/browser.ts'
import { storm } from '../testing/scenes.ts'
import { StagedServer } from '../testing/staged-server.ts'
import { stormFrame } from '../testing/storm-frame.ts'

const queue = '/q/acme-shop-main'

describe.skipIf(isBrowserMissing)('a table of the live page', () => {
  let browser: TestBrowser
  let server: StagedServer
  beforeAll(async () => {
    browser = await TestBrowser.launch()
    server = await StagedServer.start(storm())
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('a star moves a pull request to the top, in every tab, and lasts', async () => {
    server.show(storm())
    const { page } = await browser.visit(`${server.url}${queue}`)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('.answer').waitFor()
    await page.getByRole('button', { name: 'Star 1042' }).click()
    await page.locator('.yours [data-number="1042"]').waitFor()
    await other.locator('.yours [data-number="1042"]').waitFor()
    await other.reload()
    await other.locator('.yours [data-number="1042"]').waitFor()
    expect(await other.locator('.yours [data-number]').count()).toBe(1)
    await page.context().close()
  })

  test('a star on what the stream does not list shows where that is', async () => {
    const scene = storm()
    server.show(scene)
    const { page } = await browser.visit(`${server.url}${queue}/4711`)
    await page.getByRole('button', { name: 'Star 1036' }).click()
    server.show({ frame: { ...stormFrame(14), rows: [] } })
    await page.goto(`${server.url}${queue}`)
    await page.locator('.yours [data-number="1036"] .state.is-testing').waitFor()
    server.show({ ...scene, pullRequest: null })
    await page.reload()
    await page.locator('.yours [data-number="1036"]').waitFor()
    expect(await page.locator('.yours li').count()).toBe(0)
    await page.context().close()
  })

  test('a long table shows its first rows, and more when asked', async () => {
    server.show(storm(10_000))
    const { page } = await browser.visit(`${server.url}${queue}`)
    const rows = page.locator('.waiting tbody tr')
    await rows.nth(49).waitFor()
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Show 151 more' }).click()
    await rows.nth(200).waitFor()
    await page.getByText('The page knows the first 201 of 10,001.').waitFor()
    await page.context().close()
  })

  test('the waiting table holds still under the pointer, and says what has changed', async () => {
    server.show(storm())
    const { page } = await browser.visit(`${server.url}${queue}`)
    const places = page.locator('.waiting tbody tr')
    await places.first().hover()
    const frame = stormFrame(14)
    const [gone = 0, ...order] = frame.waiting.order
    const waiting = { order, total: order.length }
    const head = { sequence: frame.sequence + 1, now: frame.now }
    server.send({ kind: 'change', ...head, rows: [], gone: [gone], waiting, ended: [] })
    await page.getByRole('button', { name: '1 change, show' }).waitFor()
    expect(await places.first().getAttribute('data-number')).toBe(String(gone))
    expect(await places.first().locator('.cell-state').textContent()).toContain('has left')
    await page.getByRole('button', { name: '1 change, show' }).click()
    await page.locator(`.waiting [data-number="${gone}"]`).waitFor({ state: 'detached' })
    await page.context().close()
  })
})
