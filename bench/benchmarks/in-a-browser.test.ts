import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CliFolder } from '../cli/testing/cli-folder.ts'
import { isBrowserMissing, TestBrowser } from '../../sim/report/testing/browser.ts'
import {
  faultsInAllSizes,
  faultsByKey,
  faultsInNames,
  faultsOnPaper,
} from '../../sim/report/testing/faults.ts'
import { changesBetween, documentOf } from './document.ts'
import { atLeast, atMost, measured, spreadOf, target } from './measurement.ts'
import { pageOf } from './report.ts'

const folder = new CliFolder()
afterAll(() => folder.remove())

/** A full run over many sizes, with a met and a missed target, compared with an earlier run. */
function fullPage(): Promise<string> {
  const points = [1, 10, 1000, 100_000, 1_000_000].map((x) => ({ x, y: 1000 * Math.log2(2 + x) }))
  const curve = {
    name: 'a command, by the number waiting',
    x: 'pull requests',
    y: 'per command',
    points,
  }
  const found = measured({
    figures: [{ name: 'it & <that>', unit: 'ns', value: spreadOf([900, 1500, 4000]) }],
    targets: [
      target('a very long story of what costs how much', 'times', spreadOf([41, 50]), atMost(40)),
      target('it keeps', 'share', spreadOf([0.8, 0.91]), atLeast(0.75)),
    ],
    curves: [
      { ...curve, unit: 'ns' },
      { ...curve, name: 'memory', unit: 'bytes' },
    ],
    notes: ['processor time alone'],
  })
  const document = documentOf([{ name: 'a', title: 'something', ...found }], false, new Date(0))
  return pageOf(document, changesBetween(document, document))
}

describe.skipIf(isBrowserMissing)('benchmarks in Chromium', () => {
  let browser: TestBrowser
  let quick: string
  let full: string
  beforeAll(async () => {
    browser = await TestBrowser.launch()
    const names = ['event'].flatMap((name) => ['--only', name])
    await folder.run(['bench', '--quick', ...names])
    quick = folder.read('reports/bench/index.html')
    full = await fullPage()
  })
  afterAll(() => browser.close())

  test('have no errors and fit in each size, light and dark', async () => {
    for (const html of [quick, full]) {
      expect(await faultsInAllSizes(html, browser)).toEqual([])
    }
  })

  test('work by keyboard, on paper and for screen readers', async () => {
    for (const html of [quick, full]) {
      const { page } = await browser.open(html)
      expect(await faultsInNames(page)).toEqual([])
      expect(await faultsByKey(page)).toEqual([])
      expect(await faultsOnPaper(page)).toEqual([])
      await page.close()
    }
  })

  test('show in one table which targets are met; a quick run judges none', async () => {
    const { page } = await browser.open(full)
    const targets = page.getByRole('region', { name: 'Targets, table' })
    expect(await targets.locator('.bad').allTextContents()).toEqual(['missed'])
    expect(await targets.locator('.good').allTextContents()).toEqual(['met'])
    const { page: unjudged } = await browser.open(quick)
    expect(await unjudged.locator('.good, .bad').count()).toBe(0)
    expect(await unjudged.getByText('not judged').count()).toBeGreaterThan(0)
  })
})
