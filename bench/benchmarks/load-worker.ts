/**
 * A process that simulates heavy scenarios for its parent process: one part of a large scenario at
 * a time, or a small scenario completely. It is a separate process so that the measured memory and
 * garbage collection belong to the simulation alone.
 *
 * The simulation does the same as `npm run sim -- --once`: all properties check it, its figures are
 * collected, its trace is hashed, and its result is written as a stream. There is no second run.
 */

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { properties } from '../../sim/properties/index.ts'
import { resultTexts } from '../../sim/result/write-result.ts'
import { ResultCollector } from '../../sim/judge/run-scenario.ts'
import { Simulation } from '../../sim/run/simulation.ts'
import { heavyScenario, type LoadProgress, type LoadRequest } from './heavy-load.ts'

const nsPerUs = 1000
const bytesPerKiB = 1024

class LoadRun {
  readonly #collector: ResultCollector
  readonly #simulation: Simulation
  #submitted = 0
  #isOver = false
  #violations = 0

  constructor(pullRequests: number) {
    const scenario = heavyScenario(pullRequests)
    this.#collector = new ResultCollector(scenario)
    this.#simulation = new Simulation(scenario, {
      properties,
      observers: [this.#collector.observer],
      onSubmission: () => void this.#submitted++,
    })
  }

  /** Simulates until `until` pull requests have been submitted in total. */
  continueUntil(until: number): void {
    while (this.#submitted < until && !this.#isOver) this.#isOver = !this.#simulation.step()
  }

  /** Simulates to the end and writes the result. */
  finish(): void {
    while (!this.#isOver) this.#isOver = !this.#simulation.step()
    const result = this.#collector.resultOf(this.#simulation.outcome())
    const found = result.properties.map(({ violations }) => violations.length)
    this.#violations = found.reduce((sum, count) => sum + count, 0)
    writeAndDelete(resultTexts(result))
  }

  get state(): Pick<LoadProgress, 'submitted' | 'isOver' | 'violations'> {
    return { submitted: this.#submitted, isOver: this.#isOver, violations: this.#violations }
  }
}

/** Writes a file in the same way as a report, and deletes it. */
function writeAndDelete(texts: Iterable<string>): void {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
  const file = openSync(join(folder, 'result.json'), 'w')
  for (const text of texts) writeSync(file, text)
  closeSync(file)
  rmSync(folder, { recursive: true })
}

let current: { readonly loadRun: LoadRun; readonly size: number } | null = null

function handle(request: LoadRequest): Pick<LoadProgress, 'submitted' | 'isOver' | 'violations'> {
  if (request.do === 'begin')
    current = { loadRun: new LoadRun(request.pullRequests), size: request.pullRequests }
  if (!current) throw new Error('no simulation has begun')
  const { loadRun, size } = current
  if (request.do === 'continue') {
    const until = loadRun.state.submitted + request.pullRequests
    if (until < size) loadRun.continueUntil(until)
    else loadRun.finish()
  }
  return loadRun.state
}

process.on('message', (request: LoadRequest) => {
  const before = process.cpuUsage()
  const state = handle(request)
  const { user, system } = process.cpuUsage(before)
  const peakBytes = process.resourceUsage().maxRSS * bytesPerKiB
  const answer: LoadProgress = { ...state, cpuNs: (user + system) * nsPerUs, peakBytes }
  process.send?.(answer)
})
