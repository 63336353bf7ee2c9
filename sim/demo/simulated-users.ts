/** Simulates the developers of a scenario over HTTP. */

import { isDeparture } from '../run/commands.ts'
import type { Draw } from '../random/draw.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import { arrivalsOf, type Arrival } from '../world/traffic.ts'
import type { World } from '../world/world.ts'
import { ApiFault, type Api } from './api.ts'
import type { Pace } from './pacer.ts'

type UsersContext = { readonly api: Api; readonly world: World; readonly pace: Pace }

export class SimulatedUsers {
  readonly #context: UsersContext
  readonly #arrivals: Iterator<Arrival>
  #submitted = 0
  #hasEnded = false

  constructor(scenario: Scenario, draw: Draw, context: UsersContext) {
    this.#context = context
    this.#arrivals = arrivalsOf(scenario, draw)
    for (const entry of scenario.pullRequests ?? []) context.world.learn(entry)
    for (const event of scenario.events ?? []) this.#plan(event)
    this.#planNext()
  }

  get submitted(): number {
    return this.#submitted
  }

  /** True if no further submission is planned. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  #planNext(): void {
    const next = this.#arrivals.next()
    if (next.done) {
      this.#hasEnded = true
      return
    }
    const { at, entry, events, isGenerated } = next.value
    this.#context.pace.at(at, async () => {
      for (const event of events) this.#plan(event)
      if (isGenerated) this.#context.world.learn(entry)
      this.#planNext()
      await this.#submit(entry)
      this.#submitted++
    })
  }

  async #submit({ number, targets, priority, noBatch }: PullRequestEntry): Promise<void> {
    const { api } = this.#context
    const pr = { number }
    await api.call('reportPullRequest', { pr, ...describedAs(number) })
    if (targets !== undefined) {
      await api.call('setImpactedTargets', { pr, impactedTargets: targets })
    }
    await api.call('submitPullRequest', {
      pr,
      ...(priority === undefined ? {} : { priority }),
      ...(noBatch === undefined ? {} : { noBatch }),
    })
  }

  #plan(event: ScenarioEvent): void {
    this.#context.pace.at(toMillis(event.at ?? 0), async () => {
      const request = requestOf(event)
      if (request === null) return
      try {
        await this.#context.api.call(...request)
      } catch (error) {
        // Some requests come too late: the pull request has left or has no run to restart.
        if (!(error instanceof ApiFault) || error.status >= 500) throw error
      }
    })
  }
}

const deeds = ['Cache', 'Log', 'Rename', 'Speed up', 'Test', 'Validate', 'Simplify']
const things = ['the basket', 'checkout', 'the price list', 'sign-in', 'the search', 'invoices']
const authors = ['dana', 'kim', 'noor', 'sam', 'yuki']

/** A title and an author, so that a page shows what it shows of a real queue. They say nothing of the truth. */
function describedAs(number: number): { readonly title: string; readonly author: string } {
  const of = (words: readonly string[]): string => words[number % words.length] ?? ''
  return { title: `${of(deeds)} ${of(things)}`, author: of(authors) }
}

/** Returns the API request for an event; null for events that only a code host can report. */
export function requestOf(event: ScenarioEvent): [operation: string, body: object] | null {
  if (isDeparture(event)) return ['cancelPullRequest', { pr: { number: event.number } }]
  switch (event.do) {
    case 'submit':
      return ['submitPullRequest', { pr: { number: event.number }, ...optionsOf(event) }]
    case 'restart':
      return ['restartTestsOnPullRequest', { pr: { number: event.number } }]
    case 'setImpactedTargets': {
      const { number, targets: impactedTargets } = event
      return ['setImpactedTargets', { pr: { number }, impactedTargets }]
    }
    case 'updateQueue':
      return ['updateQueue', event.set]
    case 'quarantine':
    case 'release':
    case 'forget':
    case 'manualMerge':
    case 'setMergeable':
    case 'pushToBranch':
    case 'attachHost':
      return null
  }
}

type SubmitEvent = Extract<ScenarioEvent, { readonly do: 'submit' }>

function optionsOf({ priority, noBatch }: SubmitEvent): Partial<SubmitEvent> {
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(noBatch === undefined ? {} : { noBatch }),
  }
}
