/** The live page as people use it: by keyboard and pointer, and with actions. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsByKey, axeFaults } from '../../../sim/report/testing/in-browser.ts'
import { describeStaged, queuePath } from '../testing/in-browser.ts'
import { lanes, storm } from '../testing/scenes.ts'
import { aChange, aHead } from '../../../server/page/web/testing/frames.ts'
import { colors } from '../../../sim/html/colors.ts'
import { paletteOf } from '../../../sim/html/testing/contrast.ts'

describeStaged('a reader of the live page', ({ server, open }) => {
  test('dialogs have nothing serious either, and close by Escape', async () => {
    const page = await open(storm())
    for (const name of ['Submit…', 'Queue…', 'Help and keys', 'Actions for 1036']) {
      const button = page.getByRole('button', { name }).first()
      await button.click()
      await page.locator('dialog').waitFor()
      expect(await axeFaults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    }
  })

  test('keys find, move and open, but not while somebody types', async () => {
    const page = await open(storm())
    await page.locator('.answer').waitFor()
    const focused = (): Promise<string> => page.evaluate('document.activeElement.dataset.row ?? ""')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = await focused()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused()).toBe(second)
    await page.keyboard.press('/')
    await page.keyboard.type('j?1038')
    expect(await page.locator('#find').inputValue()).toBe('j?1038')
    await page.locator('#find').fill('1038')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server().url}${queuePath}/1038`)
    expect(await page.title()).toBe('#1038 · acme/shop : main · Mergeyard')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Help' }).waitFor()
  })

  test('Tab reaches all that a mouse can use', async () => {
    const page = await open(lanes())
    await page.locator('.answer').waitFor()
    // The charts arrive last, with elements of their own.
    await page.getByText('as a table').first().waitFor()
    expect(await faultsByKey(page)).toEqual([])
  })

  test('an action says what it will do, is sent once, and a refusal is shown in words', async () => {
    const page = await open({
      ...storm(),
      refusal: { status: 409, error: 'pull request 1036 is being merged' },
    })
    await page.getByRole('button', { name: 'Actions for 1036' }).click()
    await page.getByRole('button', { name: 'Cancel…' }).click()
    await page.getByText('#1037, #1038 and #1039 start again').waitFor()
    expect(server().acts).toEqual([])
    await page.getByRole('button', { name: 'Cancel #1036' }).click()
    await page.getByRole('alert').getByText('Pull request 1036 is being merged.').waitFor()
    server().show({ refusal: null })
    await page.getByRole('button', { name: 'Cancel #1036' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const cancel = { operation: 'cancelPullRequest', body: { pr: { number: 1036 } } }
    expect(server().acts).toEqual([cancel, cancel])
  })

  test('each dialog sends what its reader has chosen', async () => {
    const page = await open(storm())
    const press = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) await page.getByRole('button', { name }).last().click()
    }
    const sent = async (button: string, act: object): Promise<void> => {
      await press(button)
      await page.locator('dialog').waitFor({ state: 'detached' })
      expect(server().acts.at(-1)).toEqual(act)
    }
    const pr = { number: 1036 }
    await press('Submit…')
    await page.getByLabel('Number, branch or title').fill('77')
    const submission = { pr: { number: 77 }, noBatch: false }
    await sent('Submit #77', { operation: 'submitPullRequest', body: submission })
    await press('Actions for 1036', 'Priority…')
    await page.getByLabel('high').check()
    const high = { operation: 'submitPullRequest', body: { pr, priority: 'high' } }
    await sent('Change the priority of #1036', high)
    await press('Actions for 1036', 'Restart tests…')
    const restart = { operation: 'restartTestsOnPullRequest', body: { pr } }
    await sent('Restart the tests of #1036', restart)
    await press('Queue…', 'Settings…')
    await page.getByLabel('Runs at once').fill('2')
    await page.getByText('At most 2 run at once instead of 3.').waitFor()
    await sent('Change the settings', { operation: 'updateQueue', body: { concurrency: 2 } })
    await press('Queue…', 'Pause…')
    await sent('Pause the queue', { operation: 'updateQueue', body: { state: 'PAUSED' } })
    const { sequence, now } = storm().frame
    server().send(aChange({ sequence: sequence + 1, now, queue: aHead({ state: 'PAUSED' }) }))
    await press('Resume…')
    await sent('Resume the queue', { operation: 'updateQueue', body: { state: 'RUNNING' } })
  })

  test('without motion nothing moves, and in forced colours every mark is seen', async () => {
    const page = await open(storm())
    await page.locator('.run-bar span').first().waitFor()
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
    const moving = await page.evaluate<string[]>(`
      [...document.querySelectorAll('*')]
        .filter((each) => !/^0s(, 0s)*$/.test(getComputedStyle(each).transitionDuration))
        .map((each) => each.outerHTML.slice(0, 100))`)
    expect(moving).toEqual([])
    const unseen = await page.evaluate<number>(`
      [...document.querySelectorAll('.mark')]
        .filter((each) => getComputedStyle(each).stroke === getComputedStyle(document.body).backgroundColor)
        .length`)
    expect(unseen).toBe(0)
  })
})

// The tables of the live page: what is starred, and who waits.

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
    server().show({ frame: { ...storm().frame, rows: [] } })
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
    await page.getByRole('button', { name: 'Show 150 more' }).click()
    await rows.nth(199).waitFor()
    await page.getByText('The page knows the first 200 of 10,002.').waitFor()
  })

  test('with nobody behind the line, the page does not say that nobody waits', async () => {
    const { frame } = storm()
    const { members = [] } = frame.line.groups[0] ?? {}
    const waits = frame.rows.map((row) =>
      members.includes(row.number) ? { ...row, state: 'PENDING' as const } : row,
    )
    const waiting = { order: [], total: 0 }
    const page = await open({ frame: { ...frame, rows: waits, waiting } })
    await page.locator('[data-figure="waiting"] dd').getByText(String(members.length)).waitFor()
    expect(await page.locator('.waiting').innerText()).toMatch(/^Behind the line 0\n+Nobody is/)
  })

  test('the waiting table holds still under the pointer, and says what has changed', async () => {
    const page = await open(storm())
    const places = page.locator('.waiting tbody tr')
    await places.first().hover()
    const { frame } = storm()
    const [gone = 0, ...order] = frame.waiting.order
    const waiting = { order, total: order.length }
    server().send(aChange({ sequence: frame.sequence + 1, now: frame.now, gone: [gone], waiting }))
    await page.getByRole('button', { name: '1 change, show' }).waitFor()
    expect(await places.first().getAttribute('data-number')).toBe(String(gone))
    expect(await places.first().locator('.cell-state').textContent()).toContain('has left')
    await page.getByRole('button', { name: '1 change, show' }).click()
    await page.locator(`.waiting [data-number="${gone}"]`).waitFor({ state: 'detached' })
  })
})

const parts = readFileSync(
  new URL('../../../../server/page/web/components/components.css', import.meta.url),
  'utf8',
)

test.for(['light', 'dark'] as const)(
  'words and marks of all states are read in %s colours',
  (scheme) => {
    const { contrast } = paletteOf(colors + parts, scheme)
    for (const state of ['ink', 'soft', 'link', 'good', 'warn', 'search', 'bad']) {
      for (const ground of ['paper', 'ground'])
        expect(contrast(state, ground), `${state} on ${ground}`).toBeGreaterThan(4.5)
      // The sign that is cut out of a filled mark.
      expect(contrast(state, 'on-mark'), state).toBeGreaterThan(3)
    }
  },
)
