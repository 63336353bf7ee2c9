/** The live page as people use it: by keyboard and pointer, and with actions. */

import { expect, test } from 'vitest'
import { faultsByKey, axeFaults } from '../../../sim/report/testing/in-browser.ts'
import { describeStaged, queuePath } from '../testing/in-browser.ts'
import { lanes, storm } from '../testing/scenes.ts'

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
    await page.getByText('#1037, #1038, #1039, #1042, #1046 and #1047 start again').waitFor()
    expect(server().acts).toEqual([])
    await page.getByRole('button', { name: 'Cancel #1036' }).click()
    await page.getByRole('alert').getByText('Pull request 1036 is being merged.').waitFor()
    server().show({ refusal: null })
    await page.getByRole('button', { name: 'Cancel #1036' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const cancel = { queue: 'acme-shop-main', action: 'cancel', number: 1036 }
    expect(server().acts).toEqual([cancel, cancel])
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
