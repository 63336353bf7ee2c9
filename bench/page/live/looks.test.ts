/** The live page as people see it: in each size and colour, with every kind of text. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBrowserMissing, TestBrowser } from '../../../sim/report/testing/browser.ts'
import { faultsInNames, faultsInSize, faultsInTheDark } from '../../../sim/report/testing/faults.ts'
import { axeFaults } from '../../../sim/report/testing/axe.ts'
import { empty, hostileTexts, lanes, nobody, storm } from '../testing/scenes.ts'
import { StagedServer, type Scene } from '../testing/staged-server.ts'

const queue = '/q/acme-shop-main'

/** The length of the longest text of the page. What others write is cut at 200 characters, or a sign each. */
function longestText(page: Page): Promise<number> {
  return page.evaluate<number>(`
    [...document.querySelectorAll('*')].reduce((longest, each) => Math.max(longest,
      ...[...each.childNodes].map((node) => node.nodeType === 3 ? node.data.length : 0),
      ...[...each.attributes].map(({ value }) => value.length)), 0)`)
}

describe.skipIf(isBrowserMissing)('the live page', () => {
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

  const scenes: readonly (readonly [string, Scene, string, string])[] = [
    ['a queue in a storm', storm(), queue, '.answer'],
    ['a queue with lanes', lanes(), queue, '.answer'],
    ['an empty queue', empty(), queue, '.answer'],
    ['10,000 in the line', storm(10_000), queue, '.answer'],
    [
      'a reader of the public view',
      { ...storm(), me: { ...nobody, publicPage: true } },
      queue,
      '.answer',
    ],
    ['a reader who is not signed in', { ...storm(), me: nobody }, queue, '.sign-in'],
    ['a queue that does not exist', { ...storm(), frame: null }, queue, 'h1'],
    ['the list of queues', storm(), '/', '.queues'],
    ['a run', storm(), `${queue}/run/812`, '.log'],
    ['a pull request', storm(), `${queue}/1036`, '.summary'],
    ['a queue of hostile texts', hostileTexts(), queue, '.answer'],
    ['a pull request of hostile texts', hostileTexts(), `${queue}/1036`, '.summary'],
  ]
  const first = new Set(['a reader who is not signed in', 'a queue of hostile texts'])
  for (const [name, scene, path, sign] of scenes) {
    const tags = first.has(name) ? [] : ['matrix']
    test(`${name} fits every size, and axe finds nothing`, { tags }, async () => {
      server.show(scene)
      const { page, noise } = await browser.visit(`${server.url}${path}`)
      await page.locator(sign).first().waitFor()
      const faults: string[] = await faultsInNames(page)
      for (const width of [390, 800, 1400]) {
        await page.setViewportSize({ width, height: 900 })
        const found = await faultsInSize(page)
        if (width !== 800) found.push(...(await axeFaults(page)), ...(await faultsInTheDark(page)))
        faults.push(...found.map((fault) => `at ${width} px: ${fault}`))
      }
      expect(faults).toEqual([])
      expect(noise.filter((each) => !each.includes('404') && !each.includes('401'))).toEqual([])
      expect(await page.title()).not.toBe('taken')
      expect(await longestText(page)).toBeLessThan(1000)
      await page.context().close()
    })
  }
})
