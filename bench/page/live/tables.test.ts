/** The tables of the live page: what is starred, and who waits. */

import { expect, test } from 'vitest'
import { describeStaged, queuePath } from '../testing/in-browser.ts'
import { storm } from '../testing/scenes.ts'
import { stormFrame } from '../testing/storm-frame.ts'

describeStaged('a table of the live page', ({ server, open }) => {
  test('a star moves a pull request to the top, in every tab, and lasts', async () => {
    const page = await open(storm())
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('.answer').waitFor()
    await page.getByRole('button', { name: 'Star 1042' }).click()
    await page.locator('.yours [data-number="1042"]').waitFor()
    await other.locator('.yours [data-number="1042"]').waitFor()
    await other.reload()
    await other.locator('.yours [data-number="1042"]').waitFor()
    expect(await other.locator('.yours [data-number]').count()).toBe(1)
  })

  test('a star on what the stream does not list shows where that is', async () => {
    const scene = storm()
    const page = await open(scene, '/4711')
    await page.getByRole('button', { name: 'Star 1036' }).click()
    server().show({ frame: { ...stormFrame(14), rows: [] } })
    await page.goto(`${server().url}${queuePath}`)
    await page.locator('.yours [data-number="1036"] .state.is-testing').waitFor()
    server().show({ ...scene, pullRequest: null })
    await page.reload()
    await page.locator('.yours [data-number="1036"]').waitFor()
    expect(await page.locator('.yours li').count()).toBe(0)
  })

  test('a long table shows its first rows, and more when asked', async () => {
    const page = await open(storm(10_000))
    const rows = page.locator('.waiting tbody tr')
    await rows.nth(49).waitFor()
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Show 151 more' }).click()
    await rows.nth(200).waitFor()
    await page.getByText('The page knows the first 201 of 10,001.').waitFor()
  })

  test('the waiting table holds still under the pointer, and says what has changed', async () => {
    const page = await open(storm())
    const places = page.locator('.waiting tbody tr')
    await places.first().hover()
    const frame = stormFrame(14)
    const [gone = 0, ...order] = frame.waiting.order
    const waiting = { order, total: order.length }
    const head = { sequence: frame.sequence + 1, now: frame.now }
    server().send({ kind: 'change', ...head, rows: [], gone: [gone], waiting, ended: [] })
    await page.getByRole('button', { name: '1 change, show' }).waitFor()
    expect(await places.first().getAttribute('data-number')).toBe(String(gone))
    expect(await places.first().locator('.cell-state').textContent()).toContain('has left')
    await page.getByRole('button', { name: '1 change, show' }).click()
    await page.locator(`.waiting [data-number="${gone}"]`).waitFor({ state: 'detached' })
  })
})
