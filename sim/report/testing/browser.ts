/** Debian's Chromium, offline and empty, for tests that look at a page as its readers do. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** Where there is no Chromium these tests are skipped, but not by CI, which has to install it. */
export const isBrowserMissing = !existsSync(executablePath) && process.env['CI'] !== 'true'

/** Long: its first start after it was installed reads all of it from the disk. */
const startTimeout = 110_000

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Opened = {
  readonly page: Page
  /** What it said, and what it asked for beside itself. Nothing, if all is well. */
  readonly noise: readonly string[]
}

export class TestBrowser {
  readonly #browser: Browser
  readonly #folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
  #pages = 0

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(await chromium.launch({ executablePath, args, timeout: startTimeout }))
  }

  /** Opens the page from a file, as somebody would who was sent it. */
  async open(html: string, as: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(this.#folder, `${++this.#pages}.html`)
    writeFileSync(file, html)
    const url = pathToFileURL(file).href
    const page = await this.#browser.newPage({ viewport: { width: 1280, height: 800 }, ...as })
    const noise: string[] = []
    page.on('console', (message) => noise.push(`says ${message.text()}`))
    page.on('pageerror', (error) => noise.push(`throws ${error.message}`))
    page.on('request', (request) => {
      if (request.url() !== url) noise.push(`asks for ${request.url()}`)
    })
    await page.goto(url)
    return { page, noise }
  }

  async close(): Promise<void> {
    await this.#browser.close()
    rmSync(this.#folder, { recursive: true })
  }
}
