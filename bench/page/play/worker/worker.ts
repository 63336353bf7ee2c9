/** A worker: simulates what the page asks for, the figures first. */

import { MeasurementCollector } from '../../../../sim/judge/measurement.ts'
import type { RunOutcome, SimulateOptions } from '../../../../sim/observe/run-context.ts'
import type { Figures } from '../../../../sim/result/result-document.ts'
import { simulating } from '../../../../sim/run/simulate.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { defaultResubmit, fairScenario, frozenScenario } from '../../../queues/fair-scenario.ts'
import { strategies } from '../../../queues/index.ts'
import { FilmMaker } from '../film/film-maker.ts'
import type { Film } from '../film/film.ts'
import { LatestWins, type Pause } from './latest-wins.ts'
import type { Answer, OtherQueue, PageRequest } from './protocol.ts'

// The simulations of the playground, each in pieces that leave time to read messages.

/** A message waits at most about this long. */
const pieceMs = 20

/** Looking at the clock costs as much as a step of a simulation. */
const stepsPerLook = 64

/** Returns null if a newer request ended it. */
async function run(
  scenario: Scenario,
  options: SimulateOptions,
  pause: Pause,
): Promise<RunOutcome | null> {
  const steps = simulating(scenario, options)
  let since = performance.now()
  let count = 0
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (++count % stepsPerLook !== 0 || performance.now() - since < pieceMs) continue
    if (!(await pause())) return null
    since = performance.now()
  }
}

/** Measures a run, as `mergeyard sim` does. The hash of the trace takes longer than the rest. */
async function figuresOf(
  scenario: Scenario,
  { isHashed }: { readonly isHashed: boolean },
  pause: Pause,
): Promise<Figures | null> {
  const collector = new MeasurementCollector(scenario)
  const options = { observers: [collector.observer], isUnhashed: !isHashed }
  const outcome = await run(scenario, options, pause)
  return outcome && collector.measure(outcome).figures
}

async function filmOf(scenario: Scenario, pause: Pause): Promise<Film | null> {
  const maker = new FilmMaker()
  const outcome = await run(scenario, { observers: [maker.observer], isUnhashed: true }, pause)
  return outcome && maker.film(outcome)
}

/** What other queues would do with the same pull requests, as `mergeyard compare` does. */
async function* othersOf(scenario: Scenario, pause: Pause): AsyncGenerator<OtherQueue> {
  const { scenario: fair } = fairScenario({
    ...scenario,
    resubmit: scenario.resubmit ?? defaultResubmit,
  })
  const frozen = frozenScenario(fair)
  for (const { name, about, isReference, simulate } of strategies) {
    if (!(await pause())) return
    yield { name, about, isReference, figures: simulate(frozen), of: strategies.length }
  }
}

/** A slider that moves makes no film. */
const restMs = 150

const answer = (message: Answer): void => {
  postMessage(message)
}

/** Resolves when the messages that have come so far were read. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

async function grant(request: PageRequest, pause: Pause): Promise<void> {
  try {
    await granters[request.wants](request, pause)
  } catch (error) {
    answer({ kind: 'failed', id: request.id, why: String(error) })
  }
}

const granters = { show, hash, others, nothing: () => Promise.resolve() } as const

async function hash({ id, scenario }: PageRequest, pause: Pause): Promise<void> {
  const figures = await figuresOf(scenario, { isHashed: true }, pause)
  if (figures) answer({ kind: 'hashed', id, figures })
}

async function others({ id, scenario }: PageRequest, pause: Pause): Promise<void> {
  for await (const other of othersOf(scenario, pause)) answer({ kind: 'other', id, other })
}

async function show({ id, scenario, today }: PageRequest, pause: Pause): Promise<void> {
  const figures = await figuresOf(scenario, { isHashed: false }, pause)
  if (!figures) return
  answer({ kind: 'figures', id, figures })
  if (today) {
    const before = await figuresOfToday(today, pause)
    if (!before) return
    answer({ kind: 'today', id, figures: before })
  }
  if (!(await pause(restMs))) return
  const film = await filmOf(scenario, pause)
  if (film) answer({ kind: 'film', id, film })
}

/** Those of the last today's setting are kept, because a slider moves often and today does not. */
let known: { readonly today: string; readonly figures: Figures } | null = null

async function figuresOfToday(scenario: Scenario, pause: Pause): Promise<Figures | null> {
  const today = JSON.stringify(scenario)
  if (known?.today === today) return known.figures
  const figures = await figuresOf(scenario, { isHashed: false }, pause)
  if (figures) known = { today, figures }
  return figures
}

const latest = new LatestWins<PageRequest>(grant, { breathe, sleep })

addEventListener('message', ({ data }: MessageEvent<PageRequest>) => void latest.request(data))
