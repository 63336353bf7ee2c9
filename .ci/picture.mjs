/**
 * Makes the picture of a report for the README. It needs Chromium, like the tests of pages.
 * Run it after a build when the look of reports has changed: node .ci/picture.mjs
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const scenario = 'scenarios/flaky-storm.json'
const picture = 'reports/sample/flaky-storm.png'
const bytesAtMost = 200_000

/**
 * The width of a README on GitHub, and the height of the report down to the first pull requests.
 */
const viewport = { width: 1100, height: 1100 }

/** Writes the report and returns the URL of its page. */
function reportIn(folder) {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
  const args = [bin.mergeyard, 'sim', scenario, '--report', folder]
  // Under npm, INIT_CWD is the folder of the caller, and relative paths would start there.
  const env = { ...process.env, INIT_CWD: process.cwd() }
  execFileSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return pathToFileURL(join(folder, 'report.html')).href
}

async function pictureOf(url) {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage({ viewport, colorScheme: 'light' })
    await page.goto(url)
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-picture-'))
try {
  const bytes = await pictureOf(reportIn(folder))
  if (bytes.length >= bytesAtMost) {
    throw new Error(`the picture has ${bytes.length} bytes: it must be smaller than ${bytesAtMost}`)
  }
  writeFileSync(picture, bytes)
  console.log(`${picture}: ${bytes.length} bytes`)
} finally {
  rmSync(folder, { recursive: true })
}
