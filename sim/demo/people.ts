/** The scenario's developers, at work over HTTP. */

import type { Draw } from '../draw.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis } from '../time.ts'
import { arrivalsOf, type Arrival } from '../world/traffic.ts'
import type { World } from '../world/world.ts'
import { ApiFault, type Api } from './api.ts'
import type { Pace } from './pace.ts'

type Around = { readonly api: Api; readonly world: World; readonly pace: Pace }

export class People {
  readonly #around: Around
  readonly #arrivals: Iterator<Arrival>
  #submitted = 0
  #hasEnded = false

  constructor(scenario: Scenario, draw: Draw, around: Around) {
    this.#around = around
    this.#arrivals = arrivalsOf(scenario, draw)
    for (const entry of scenario.pullRequests ?? []) around.world.learn(entry)
    for (const event of scenario.events ?? []) this.#plan(event)
    this.#planNext()
  }

  get submitted(): number {
    return this.#submitted
  }

  /** Nobody submits anything any more. */
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
    this.#around.pace.at(at, async () => {
      for (const event of events) this.#plan(event)
      if (isGenerated) this.#around.world.learn(entry)
      this.#planNext()
      await this.#submit(entry)
      this.#submitted++
    })
  }

  async #submit({ number, targets, priority, noBatch }: PullRequestEntry): Promise<void> {
    const { api } = this.#around
    const pr = { number }
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
    this.#around.pace.at(toMillis(event.at ?? 0), async () => {
      const asked = requestOf(event)
      if (asked === null) return
      try {
        await this.#around.api.call(...asked)
      } catch (error) {
        // It has left already, or has no run to restart: people come too late at times.
        if (!(error instanceof ApiFault) || error.status >= 500) throw error
      }
    })
  }
}

/** The request by which somebody does it; null for what only a code host could tell. */
export function requestOf(event: ScenarioEvent): [operation: string, body: object] | null {
  switch (event.do) {
    case 'submit': {
      const { number, priority, noBatch } = event
      const wishes = {
        ...(priority === undefined ? {} : { priority }),
        ...(noBatch === undefined ? {} : { noBatch }),
      }
      return ['submitPullRequest', { pr: { number }, ...wishes }]
    }
    case 'restart':
      return ['restartTestsOnPullRequest', { pr: { number: event.number } }]
    case 'setImpactedTargets': {
      const { number, targets: impactedTargets } = event
      return ['setImpactedTargets', { pr: { number }, impactedTargets }]
    }
    case 'updateQueue':
      return ['updateQueue', event.set]
    case 'cancel':
    case 'push':
    case 'close':
    case 'convertToDraft':
    case 'changeBase':
      return ['cancelPullRequest', { pr: { number: event.number } }]
    case 'manualMerge':
    case 'setMergeable':
    case 'pushToBranch':
      return null
  }
}
