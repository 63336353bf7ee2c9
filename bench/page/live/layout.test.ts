/** The live page as people see it: in each size and colour, with every kind of text. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsInAllSizes } from '../../../sim/report/testing/in-browser.ts'
import { describeStaged, queuePath } from '../testing/in-browser.ts'
import { empty, hostileTexts, lanes, nobody, storm } from '../testing/scenes.ts'
import type { Scene } from '../testing/staged-server.ts'

/** The length of the longest text of the page. What others write is cut at 200 characters, or a sign each. */
function longestText(page: Page): Promise<number> {
  return page.evaluate<number>(`
    [...document.querySelectorAll('*')].reduce((longest, each) => Math.max(longest,
      ...[...each.childNodes].map((node) => node.nodeType === 3 ? node.data.length : 0),
      ...[...each.attributes].map(({ value }) => value.length)), 0)`)
}

describeStaged('the live page', ({ visit, server }) => {
  const scenes: readonly (readonly [string, Scene, string, string])[] = [
    ['a queue in a storm', storm(), queuePath, '.answer'],
    ['a queue with lanes', lanes(), queuePath, '.answer'],
    ['an empty queue', empty(), queuePath, '.answer'],
    ['10,000 in the line', storm(10_000), queuePath, '.answer'],
    [
      'a reader of the public view',
      { ...storm(12, 'public'), me: { ...nobody, publicPage: true } },
      queuePath,
      '.answer',
    ],
    ['a reader who is not signed in', { ...storm(), me: nobody }, queuePath, '.sign-in'],
    ['a queue that does not exist', { ...storm(), frame: null }, queuePath, 'h1'],
    ['the list of queues', storm(), '/', '.queues'],
    ['a run', storm(), `${queuePath}/run/812`, '.log'],
    ['a pull request', storm(), `${queuePath}/1036`, '.summary'],
    ['a queue of hostile texts', hostileTexts(), queuePath, '.answer'],
    ['a pull request of hostile texts', hostileTexts(), `${queuePath}/1036`, '.summary'],
  ]
  const first = new Set(['a reader who is not signed in', 'a queue of hostile texts'])
  for (const [name, scene, path, sign] of scenes) {
    const tags = first.has(name) ? [] : ['matrix']
    test(`${name} fits every size, and axe finds nothing`, { tags }, async () => {
      server().show(scene)
      const { page, noise } = await visit(`${server().url}${path}`)
      await page.locator(sign).first().waitFor()
      expect(await faultsInAllSizes(page)).toEqual([])
      expect(noise.filter((each) => !each.includes('404') && !each.includes('401'))).toEqual([])
      expect(await page.title()).not.toBe('taken')
      expect(await longestText(page)).toBeLessThan(1000)
    })
  }
})
