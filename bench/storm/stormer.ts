/**
 * A process that runs storms for whoever started it: a stretch of a large one at a time, or a small
 * one as a whole. In a process of its own its memory is its own, and its garbage as well.
 *
 * A storm is run as `npm run sim -- --once` does: watched by every property, measured, and its
 * result written as a stream; the trace is hashed, and there is no second run.
 */

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { properties } from '../../sim/properties/index.ts'
import { resultTexts } from '../../sim/result/write-result.ts'
import { ResultBook } from '../../sim/run-scenario.ts'
import { Simulation } from '../../sim/simulation.ts'
import { storm } from './scenario.ts'

/** Begin a storm of so many, or go on with it until so many more have been submitted. */
export type Wish =
  | { readonly do: 'begin'; readonly pullRequests: number }
  | { readonly do: 'goOn'; readonly pullRequests: number }

export type Answer = {
  /** Submitted so far. */
  readonly submitted: number
  readonly isOver: boolean
  /** Processor time of this wish alone. */
  readonly cpuNs: number
  readonly peakBytes: number
  /** Violations that were found; there should be none. */
  readonly violations: number
}

const nsPerUs = 1000
const bytesPerKiB = 1024

class Storm {
  readonly #book: ResultBook
  readonly #simulation: Simulation
  #submitted = 0
  #isOver = false
  #violations = 0

  constructor(pullRequests: number) {
    const scenario = storm(pullRequests)
    this.#book = new ResultBook(scenario)
    this.#simulation = new Simulation(scenario, {
      properties,
      readers: [this.#book.reader],
      onSubmission: () => void this.#submitted++,
    })
  }

  /** Goes on until so many have been submitted in all; the last stretch goes on to the end. */
  goOn(until: number): void {
    while (this.#submitted < until && !this.#isOver) this.#isOver = !this.#simulation.step()
  }

  /** To the end, result and all. */
  finish(): void {
    while (!this.#isOver) this.#isOver = !this.#simulation.step()
    const result = this.#book.resultOf(this.#simulation.outcome())
    const found = result.properties.map(({ violations }) => violations.length)
    this.#violations = found.reduce((sum, count) => sum + count, 0)
    writeAway(resultTexts(result))
  }

  get state(): Pick<Answer, 'submitted' | 'isOver' | 'violations'> {
    return { submitted: this.#submitted, isOver: this.#isOver, violations: this.#violations }
  }
}

/** To a file, as a report is, that goes again at once. */
function writeAway(texts: Iterable<string>): void {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
  const file = openSync(join(folder, 'result.json'), 'w')
  for (const text of texts) writeSync(file, text)
  closeSync(file)
  rmSync(folder, { recursive: true })
}

let current: { readonly storm: Storm; readonly size: number } | null = null

function fulfil(wish: Wish): Pick<Answer, 'submitted' | 'isOver' | 'violations'> {
  if (wish.do === 'begin')
    current = { storm: new Storm(wish.pullRequests), size: wish.pullRequests }
  if (!current) throw new Error('no storm has begun')
  const { storm: under, size } = current
  if (wish.do === 'goOn') {
    const until = under.state.submitted + wish.pullRequests
    if (until < size) under.goOn(until)
    else under.finish()
  }
  return under.state
}

process.on('message', (wish: Wish) => {
  const before = process.cpuUsage()
  const state = fulfil(wish)
  const { user, system } = process.cpuUsage(before)
  const peakBytes = process.resourceUsage().maxRSS * bytesPerKiB
  const answer: Answer = { ...state, cpuNs: (user + system) * nsPerUs, peakBytes }
  process.send?.(answer)
})
