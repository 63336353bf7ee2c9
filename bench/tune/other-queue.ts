/** The parts of the result that only a search of another product's queue has. */

import { labelOfValue, mostSlots } from '../queues/parameters.ts'
import type { QueueConfiguration } from '../queues/queue.ts'
import type { BesideResult, TuneDocument } from './document.ts'
import { effectsOf } from './final/figure-results.ts'
import type { Verdict } from './final/verdict.ts'
import type { Trial } from './search/run-settings.ts'
import type { QueueAddress } from './settings/curl.ts'
import { configurationOf } from './settings/ladders.ts'
import type { Tuned, TuneRequest } from './tune.ts'

/** What the model of another queue is, and what today's setting is. */
export function modelWords({ other, scenario }: TuneRequest): string[] {
  if (!other) return []
  const { queue, values, leftOut } = other
  const today = queue.parameters
    .map(({ name }) => `${name} ${labelOfValue(values[name] ?? null)}`)
    .join(', ')
  const runs = mostSlots(configurationOf(scenario).concurrency)
  return [
    `${queue.title} is a model, after ${queue.after}. It leaves out: ${queue.leavesOut}.`,
    `Today's setting is assumed: its defaults, unless --today names others: ${today}.`,
    `The runners take at most ${runs} runs at once, twice the concurrency of the scenario.`,
    ...(leftOut.length === 0 ? [] : [`Left out, as no other queue has it: ${leftOut.join(', ')}.`]),
  ]
}

/** Only a change has a configuration. */
export function configurationOfChoice(
  { request, verdict }: Tuned,
  address: QueueAddress,
): QueueConfiguration | null {
  const { other } = verdict.choice.candidate
  if (verdict.kind !== 'change' || !request.other || !other) return null
  const { repo, branch, isUsualBranch } = address
  const place = { repo, branch: isUsualBranch === true ? null : branch }
  return request.other.queue.configuration(other.values, place)
}

/** Compares Mergeyard's best setting with the choice, on the seeds of both finals. */
export function besideOf(
  tuned: Tuned,
  beside: Tuned,
  mergeyard: TuneDocument,
): BesideResult | null {
  const best = advisedOrBest(beside.verdict)
  const setting = mergeyard.settings.find(({ name }) => name === best.candidate.name)
  if (!setting) return null
  const { choice } = tuned.verdict
  const least = tuned.request.leastPercent / 100
  const isComparable = !best.isTooSlow && !choice.isTooSlow
  const [effects = null] = isComparable ? effectsOf([best], choice, least) : []
  return {
    verdict: beside.verdict.kind,
    setting: { ...setting, againstToday: null },
    againstChoice: effects,
  }
}

function advisedOrBest(verdict: Verdict): Trial {
  return verdict.kind === 'change' ? verdict.choice : verdict.best
}
