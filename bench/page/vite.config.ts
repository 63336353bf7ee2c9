/**
 * Builds the two pages: `--mode live` writes `dist/page`, which the server shows at `/`, and
 * `--mode play` writes `dist/site`, the playground, which any file server shows.
 */

import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { inABrowser } from './build/in-a-browser.ts'
import { scenarioCheck } from './build/scenario-check.ts'
import { sharedStyle } from './build/shared-style.ts'

/**
 * The shell of the live page is shown at several paths, so it names its files from the root. The
 * playground names them relative to itself, so it works below any path.
 */
const pages = {
  live: { root: '../../server/page/web', base: '/page/', folder: 'page' },
  play: { root: 'play', base: './', folder: 'site' },
} as const

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The simulator in a browser; the worker is a bundle of its own. */
const simulator = (): Plugin[] => [inABrowser(), scenarioCheck()]

export default defineConfig(({ mode }): UserConfig => {
  const page = mode === 'live' ? pages.live : pages.play
  return {
    root: at(page.root),
    base: page.base,
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [sharedStyle(), ...simulator()],
    worker: { format: 'es', plugins: simulator },
    build: {
      outDir: at(`../../dist/${page.folder}`),
      emptyOutDir: true,
      target: 'es2023',
      // The policy of the pages allows no `data:` but for pictures, and no inline script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  }
})
