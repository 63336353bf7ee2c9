/** The page simulates what `npm run sim` simulates, to the last event. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { runScenario } from '../../../sim/judge/run-scenario.ts'
import { parseScenario } from '../../../sim/scenario/check.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { compareWorker } from '../../compare/compare-worker.ts'
import { fairScenario } from '../../queues/fair-scenario.ts'
import { strategies } from '../../queues/index.ts'
import { mainFigures, textOf } from './figures/figures.ts'
import { archetypeNames } from './settings/archetype-names.ts'
import { describePlayground, siteFolder } from '../testing/in-browser.ts'
import { tiles } from './testing/opened.ts'
import type { Answer, PageRequest } from './worker/protocol.ts'

/** Every second one has teams and storms. */
const isAll = process.env['MERGEYARD_ARCHETYPES'] === 'all'
const chosen = archetypeNames.filter((_, index) => isAll || index % 2 === 0)

const scenarioOf = (name: string): Scenario => {
  const file = new URL(`../../../../scenarios/${name}.json`, import.meta.url)
  return { ...parseScenario(readFileSync(file), name), seed: 1 }
}

describePlayground('the simulator', (open) => {
  /** What the worker of the page answers: one figure, or one for each queue. */
  async function answersOf(wants: PageRequest['wants'], scenario: Scenario): Promise<Answer[]> {
    const worker = readdirSync(new URL('assets/', siteFolder)).find((name) =>
      name.startsWith('worker-'),
    )
    const request: PageRequest = { id: 1, wants, scenario, today: null }
    const { page } = await open('#from=small-team')
    return page.evaluate(
      ([file, requested]) =>
        new Promise<Answer[]>((resolve) => {
          const own = new Worker(file, { type: 'module' })
          const answers: Answer[] = []
          own.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
            answers.push(data)
            if (data.kind === 'other' && answers.length < data.other.of) return
            own.terminate()
            resolve(answers)
          })
          own.postMessage(requested)
        }),
      [`./assets/${worker}`, request] as const,
    )
  }

  test.each(chosen)('the figures and the trace of %s are those of Node', async (name) => {
    const scenario = scenarioOf(name)
    const { figures } = runScenario(scenario).result
    expect(await answersOf('hash', scenario)).toEqual([{ kind: 'hashed', id: 1, figures }])
  })

  // S-243, S-270
  test('the other queues meet the clashes that they meet in a comparison', async () => {
    const clashing = scenarioOf('changes-that-clash')
    const answers = await answersOf('others', clashing)
    const { scenario } = fairScenario(clashing)
    const compared = strategies.map(({ name }) =>
      compareWorker({ row: { kind: 'strategy', name }, scenario }),
    )
    const shown = answers.map((each) => (each.kind === 'other' ? each.other.figures : each))
    expect(shown).toEqual(compared)
    expect(compared.every(({ clashed }) => clashed > 10)).toBe(true)
  })

  test('the page shows these figures and this hash', matrix, async () => {
    const { page, noise } = await open('#from=flaky-storm&slots=12')
    const today = scenarioOf('flaky-storm')
    const changed = { ...today, queue: { ...today.queue, concurrency: 12 } }
    const [before, now] = [today, changed].map((each) => runScenario(each).result.figures)
    if (!before || !now) throw new Error('no figures')
    const shown = await tiles(page)
    for (const figure of mainFigures) {
      const [value, beside] = shown[figure.name] ?? []
      expect(value).toBe(textOf(figure, now))
      expect(beside).toContain(`today ${textOf(figure, before)}`)
    }
    await page.getByRole('button', { name: 'Check the hash' }).click()
    await page.locator('.hash').waitFor()
    expect(await page.locator('.hash').textContent()).toBe(now.traceHash)
    expect(noise).toEqual([])
  })
})
