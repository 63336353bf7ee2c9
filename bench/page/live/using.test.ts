/** The live page as people use it: by keyboard and pointer, and with actions. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBrowserMissing, TestBrowser } from '../../../sim/report/testing/browser.ts'
import { faultsByKey } from '../../../sim/report/testing/faults.ts'
import { axeFaults } from '../../../sim/report/testing/axe.ts'
import { lanes, storm } from '../testing/scenes.ts'
import { StagedServer } from '../testing/staged-server.ts'

const queue = '/q/acme-shop-main'

describe.skipIf(isBrowserMissing)('a reader of the live page', () => {
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

  test('dialogs have nothing serious either, and close by Escape', async () => {
    server.show(storm())
    const { page } = await browser.visit(`${server.url}${queue}`)
    for (const name of ['Submit…', 'Queue…', 'Help and keys', 'Actions for 1036']) {
      const button = page.getByRole('button', { name }).first()
      await button.click()
      await page.locator('dialog').waitFor()
      expect(await axeFaults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    }
    await page.context().close()
  })

  test('keys find, move and open, but not while somebody types', async () => {
    server.show(storm())
    const { page } = await browser.visit(`${server.url}${queue}`)
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
    await page.waitForURL(`${server.url}${queue}/1038`)
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Help' }).waitFor()
    await page.context().close()
  })

  test('Tab reaches all that a mouse can use', async () => {
    server.show(lanes())
    const { page } = await browser.visit(`${server.url}${queue}`)
    await page.locator('.answer').waitFor()
    // The charts arrive last, with elements of their own.
    await page.getByText('as a table').first().waitFor()
    expect(await faultsByKey(page)).toEqual([])
    await page.context().close()
  })

  test('an action says what it will do, is sent once, and a refusal is shown in words', async () => {
    server.show({
      ...storm(),
      refusal: { status: 409, error: 'pull request 1036 is being merged' },
    })
    const { page } = await browser.visit(`${server.url}${queue}`)
    await page.getByRole('button', { name: 'Actions for 1036' }).click()
    await page.getByRole('button', { name: 'Cancel…' }).click()
    await page.getByText('#1037, #1038, #1039, #1042, #1046 and #1047 start again').waitFor()
    expect(server.acts).toEqual([])
    await page.getByRole('button', { name: 'Cancel #1036' }).click()
    await page.getByRole('alert').getByText('Pull request 1036 is being merged.').waitFor()
    server.show({ refusal: null })
    await page.getByRole('button', { name: 'Cancel #1036' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const cancel = { queue: 'acme-shop-main', action: 'cancel', number: 1036 }
    expect(server.acts).toEqual([cancel, cancel])
    await page.context().close()
  })

  test('without motion nothing moves, and in forced colours every mark is seen', async () => {
    server.show(storm())
    const { page } = await browser.visit(`${server.url}${queue}`)
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
    await page.context().close()
  })
})
