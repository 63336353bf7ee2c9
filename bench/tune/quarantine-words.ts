/** Which tests would be worth a quarantine, in sentences. */

import { cellText } from '../statistics/text.ts'
import type { TuneDocument } from './document.ts'
import { figureTable } from './figures.ts'
import { quarantineGoals } from './quarantine.ts'
import { changeWords } from './sentences.ts'

/** A sentence for each test. */
export function quarantineWords({ quarantine }: TuneDocument): string[] {
  const { results, untried } = quarantine ?? { results: [], untried: [] }
  const words = results.map((result) => {
    const { test, verdict, breaksLetThrough, mergedByIt, isCatchKnown, againstChoice } = result
    const effects = quarantineGoals.map(
      (name) => `${figureTable[name].title}: ${changeWords(name, againstChoice[name] ?? null)}`,
    )
    const through = isCatchKnown
      ? `breaks let through: ${cellText(breaksLetThrough)}`
      : 'what only it would catch is not known, and assumed to be nothing'
    return `${test}: ${verdict}. ${effects.join('; ')}; ${through}; merged by it: ${cellText(mergedByIt)}.`
  })
  return untried.length === 0
    ? words
    : [...words, `Not tried, the budget is too small: ${untried.join(', ')} (--budget).`]
}
