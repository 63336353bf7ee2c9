/**
 * How long the playground takes for its figures after a slider has moved: in the worker of a browser,
 * beside the same simulation in Node. Both are timed by the clock in turns, so that a busy machine
 * delays both.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { simulate } from '../../sim/run/simulate.ts'
import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import { parseScenario } from '../../sim/scenario/check.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { atMost, measured, target, type Benchmark, type Effort } from '../measuring/measurement.ts'
import { siteFolder, startSite } from '../measuring/site.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'

const executablePath = ['/usr/bin/chromium', '/usr/lib/chromium/chromium-headless-shell'].find(
  (place) => existsSync(place),
)

const names = ['flaky-storm', 'five-hundred-an-hour', 'release-freeze']

/** Half of the 300 ms that a slider may take, on a desktop where Node takes 100 ms. */
const limit = 1.5

const rounds = { full: 15, quick: 1 } as const
const warmups = { full: 5, quick: 0 } as const

const nsPerMs = 1e6

export const playground: Benchmark = {
  name: 'playground',
  title: '500 pull requests simulated again in the browser, beside Node',
  async measure(effort) {
    if (executablePath === undefined) {
      return measured({ notes: ['not measured: it needs Chromium as /usr/bin/chromium'] })
    }
    const site = await startSite()
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      await page.goto(`${site.url}#from=small-team`)
      await startWorker(page)
      const all = []
      for (const name of effort.isQuick ? names.slice(0, 1) : names) {
        if (effort.signal.aborted) break
        effort.progress(name)
        all.push({ name, ...(await inTurns(page, scenarioOf(name), effort)) })
      }
      return resultOf(all)
    } finally {
      await browser.close()
      await site.stop()
    }
  },
}

type Times = { readonly inBrowser: readonly number[]; readonly inNode: readonly number[] }

function resultOf(
  all: readonly (Times & { readonly name: string })[],
): ReturnType<typeof measured> {
  return measured({
    figures: all.flatMap(({ name, inBrowser, inNode }) => [
      { name: `${name} in Node`, unit: 'ns', value: spreadOf(inNode) },
      {
        name: `${name} in the browser`,
        unit: 'ns',
        value: spreadOf(inBrowser),
        ratio: { to: `${name} in Node`, value: ratioOf(inBrowser, inNode) },
      },
    ]),
    targets: all.map(({ name, inBrowser, inNode }) =>
      target(
        `${name}: figures after a slider has moved, in times of Node`,
        'times',
        ratioOf(inBrowser, inNode),
        atMost(limit),
      ),
    ),
    notes: [
      'from the message to the worker until its answer is there, by the clock; without the hash, the film and the other queues, which come later',
    ],
  })
}

async function inTurns(page: Page, scenario: Scenario, { isQuick }: Effort): Promise<Times> {
  const kind = isQuick ? 'quick' : 'full'
  const [browser, node]: [number[], number[]] = [[], []]
  for (let round = -warmups[kind]; round < rounds[kind]; round++) {
    const inBrowser = await answeredAfter(page, scenario)
    const since = performance.now()
    figuresOf(scenario)
    const inNode = performance.now() - since
    if (round < 0) continue
    browser.push(inBrowser * nsPerMs)
    node.push(inNode * nsPerMs)
  }
  return { inBrowser: browser, inNode: node }
}

function figuresOf(scenario: Scenario): unknown {
  const collector = new MeasurementCollector(scenario)
  const outcome = simulate(scenario, { observers: [collector.observer], isUnhashed: true })
  return collector.measure(outcome).figures
}

function scenarioOf(name: string): Scenario {
  const file = new URL(`../../../scenarios/${name}.json`, import.meta.url)
  return parseScenario(readFileSync(file), name)
}

async function startWorker(page: Page): Promise<void> {
  const file = readdirSync(new URL('assets/', siteFolder)).find((each) =>
    each.startsWith('worker-'),
  )
  await page.evaluate(`globalThis.measured = new Worker('./assets/${file}', { type: 'module' })`)
}

/** Milliseconds from the wish to the figures. The film that would follow is given up. */
function answeredAfter(page: Page, scenario: Scenario): Promise<number> {
  const wish = JSON.stringify({ id: 1, wants: 'show', scenario, today: null })
  return page.evaluate<number>(`new Promise((resolve) => {
    const since = performance.now()
    measured.onmessage = () => {
      measured.onmessage = null
      measured.postMessage({ ...${wish}, wants: 'nothing' })
      resolve(performance.now() - since)
    }
    measured.postMessage(${wish})
  })`)
}
