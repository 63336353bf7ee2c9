/**
 * Builds the two pages: `--mode live` writes `dist/page`, which the server shows at `/`, and
 * `--mode play` writes `dist/site`, the playground, which any file server shows.
 */

import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { type Plugin, type UserConfig, defineConfig } from 'vite'
import { type SchemaObject, Ajv2020 } from 'ajv/dist/2020.js'
import ajvCode from 'ajv/dist/standalone/index.js'
import { validatorOptions } from '../../sim/scenario/is-scenario.ts'
import { screenStyle } from '../../sim/html/style.ts'

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

// What the simulator takes from Node, replaced for a browser: digests that Node computes, and a random
// generator whose package asks Node for entropy that nobody uses. The numbers and digests are the
// same; `play/same-as-node-in-a-browser.test.ts` compares them.

const digests = fileURLToPath(new URL('play/worker/browser-digest.ts', import.meta.url))

/** Only tychei is used; the package would bring six more generators. */
const generators = `import tychei from 'seedrandom/lib/tychei.js'
export default { tychei }`

function inABrowser(): Plugin {
  const virtual = '\0mergeyard-seedrandom'
  return {
    name: 'mergeyard-in-a-browser',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'seedrandom') return virtual
      const isDigest = source.endsWith('/digest.ts') && importer?.includes('/sim/') === true
      return isDigest ? digests : null
    },
    load: (id) => (id === virtual ? generators : null),
  }
}

// The check of scenarios as code that is made when the page is built: see `is-scenario.ts`.

const schemaFile = new URL('../../scenarios/scenario.schema.json', import.meta.url)

/** Puts compiled code in the place of the file that compiles the schema. */
function scenarioCheck(): Plugin {
  return {
    name: 'mergeyard-scenario-check',
    load: (id) => (id.endsWith('/sim/scenario/is-scenario.ts') ? checkCode() : null),
  }
}

function checkCode(): string {
  const schema: SchemaObject = JSON.parse(readFileSync(schemaFile, 'utf8'))
  const ajv = new Ajv2020({ ...validatorOptions, code: { source: true, esm: true, lines: true } })
  ajv.addSchema(schema, 'scenario')
  const code = ajvCode.default(ajv, { isScenario: 'scenario' })
  return `${code}\nexport const checkOfScenarios = () => isScenario\n`
}

// The style that the pages share with the reports.

const mark = "@import 'mergeyard:shared';"

/** Puts the shared style in the place of `@import 'mergeyard:shared'` in a style sheet. */
function sharedStyle(): Plugin {
  return {
    name: 'mergeyard-shared-style',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.css') ? code.replace(mark, () => screenStyle) : null),
  }
}
