/** Chromium with an empty profile, for tests that open a page like a reader. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** Where Debian puts it. Its shell has no windows, and opens a page in a third of the processor time. */
const places = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'] as const
const executablePath = places.find((place) => existsSync(place)) ?? places[0]

/** Without Chromium these tests are skipped, except in CI, which must install it. */
export const isBrowserMissing = !existsSync(executablePath) && process.env['CI'] !== 'true'

/** Long, because the first start after the installation reads all of Chromium from the disk. */
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

export type OpenedPage = {
  readonly page: Page
  /** Console output, errors and requests of the page; empty if all is well. */
  readonly noise: readonly string[]
}

/** The size and settings of a reader's browser. */
type ReaderOptions = {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  readonly javaScriptEnabled?: boolean
}

export class TestBrowser {
  readonly #browser: Browser
  /** Pages share it: a context for each page takes twice the processor time. */
  readonly #context: BrowserContext
  readonly #folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
  #pages = 0

  private constructor(browser: Browser, context: BrowserContext) {
    this.#browser = browser
    this.#context = context
  }

  static async launch(): Promise<TestBrowser> {
    const browser = await chromium.launch({ executablePath, args, timeout: startTimeout })
    return new TestBrowser(browser, await browser.newContext())
  }

  /** Opens the page from a file, like a reader who received it. */
  async open(html: string, as: ReaderOptions = {}): Promise<OpenedPage> {
    const file = join(this.#folder, `${++this.#pages}.html`)
    writeFileSync(file, html)
    const url = pathToFileURL(file).href
    const { viewport = { width: 1280, height: 800 }, colorScheme, javaScriptEnabled = true } = as
    const page = await (javaScriptEnabled
      ? this.#context.newPage()
      : this.#browser.newPage({ javaScriptEnabled }))
    await page.setViewportSize(viewport)
    if (colorScheme) await page.emulateMedia({ colorScheme })
    return opened(page, url, (asked) => asked === url)
  }

  /**
   * Opens a page of a server in a context of its own, with its own cookies and storage. The noise is
   * what the console says, and requests to other servers.
   */
  async visit(url: string, as: ReaderOptions = {}): Promise<OpenedPage> {
    const { viewport = { width: 1280, height: 800 }, colorScheme = 'light' } = as
    const context = await this.#browser.newContext({ viewport, colorScheme })
    const page = await context.newPage()
    const { origin } = new URL(url)
    return opened(page, url, (asked) => new URL(asked).origin === origin)
  }

  async close(): Promise<void> {
    await this.#browser.close()
    rmSync(this.#folder, { recursive: true })
  }
}

/** The page once it has loaded. Requests to other addresses than its own are noise. */
async function opened(
  page: Page,
  url: string,
  isOwn: (asked: string) => boolean,
): Promise<OpenedPage> {
  const noise: string[] = []
  page.on('console', (message) => noise.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!isOwn(request.url())) noise.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  return { page, noise }
}
