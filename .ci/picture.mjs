/**
 * Makes the pictures of a report and of the live page for the READMEs. It needs Chromium, like the tests
 * of pages. Run it after a build when their look has changed: node .ci/picture.mjs
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { storm } from '../dist/bench/page/testing/scenes.js'
import { StagedServer } from '../dist/bench/page/testing/staged-server.js'
import { TestBrowser } from '../dist/sim/report/testing/browser.js'

const scenario = 'scenarios/flaky-storm.json'
const bytesAtMost = 200_000

/**
 * The width of a README on GitHub, and the height of the report down to the first pull requests, or of
 * the live page down to a bisection.
 */
const report = { viewport: { width: 1100, height: 1100 }, colorScheme: 'light' }
const desk = { viewport: { width: 1100, height: 920 }, colorScheme: 'light' }
const phone = { viewport: { width: 390, height: 860 }, colorScheme: 'dark' }

/** Writes the report and returns the URL of its page. */
function reportIn(folder) {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
  const args = [bin.mergeyard, 'sim', scenario, '--report', folder]
  // Under npm, INIT_CWD is the folder of the caller, and relative paths would start there.
  const env = { ...process.env, INIT_CWD: process.cwd() }
  execFileSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return pathToFileURL(join(folder, 'report.html')).href
}

/** A picture of the page when it shows the element. */
async function take(browser, { url, shows, as, picture }) {
  const { page } = await browser.visit(url, as)
  await page.locator(shows).first().waitFor()
  const bytes = await page.screenshot()
  if (bytes.length >= bytesAtMost) {
    throw new Error(`${picture} has ${bytes.length} bytes: it must be smaller than ${bytesAtMost}`)
  }
  writeFileSync(join('reports/sample', picture), bytes)
  console.log(`${picture}: ${bytes.length} bytes`)
}

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-picture-'))
const staged = await StagedServer.start(storm())
// The browser takes its time zone from here.
process.env['TZ'] = 'UTC'
const browser = await TestBrowser.launch()
try {
  const url = reportIn(folder)
  await take(browser, { url, shows: 'main', as: report, picture: 'flaky-storm.png' })
  const live = { url: `${staged.url}/q/0c9a5a2e-5b1f`, shows: '.search' }
  await take(browser, { ...live, as: desk, picture: 'live-page.png' })
  await take(browser, { ...live, as: phone, picture: 'live-page-phone.png' })
} finally {
  await browser.close()
  await staged.stop()
  rmSync(folder, { recursive: true })
}
