/** Defects of conviction by odds. */

import { rules, type Configuration, type QueueView, type Rule } from '../../engine/index.ts'
import { engineWithRules, withMisreadQueue, withMisreadSettings } from '../run/altered-engines.ts'
import type { Defect } from './defect.ts'

/** The rules that ask for the odds. */
const convicting = [
  'settleFailure',
  'advanceBisection',
  'startBisectionRuns',
  'lookOnceMore',
] as const

/** Returns the engine whose convictions read a false state of the queue. */
const misreading = (misread: (queue: QueueView) => Partial<QueueView>): Defect['parts'] =>
  engineWithRules(
    Object.fromEntries(
      convicting.map((name): [string, Rule] => [name, withMisreadQueue(rules[name], misread)]),
    ),
  )

const without: Partial<Configuration> = { policy: 'documented' }

export const convictingDefects: readonly Defect[] = [
  {
    name: 'odds-ignored-for-single',
    sentence: 'With conviction by odds a single pull request is FAILED for its first failure.',
    parts: engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => without),
    }),
  },
  {
    name: 'odds-ignored-in-bisections',
    sentence: 'With conviction by odds a bisection convicts a member as without it.',
    parts: engineWithRules({
      advanceBisection: withMisreadSettings(rules.advanceBisection, () => without),
      startBisectionRuns: withMisreadSettings(rules.startBisectionRuns, () => without),
      lookOnceMore: withMisreadSettings(rules.lookOnceMore, () => without),
    }),
  },
  {
    name: 'odds-without-flakes',
    sentence: 'The odds do not count the flakes that the queue has seen.',
    parts: misreading(({ verdicts }) => ({
      verdicts: verdicts.map((verdict) => ({ ...verdict, contradicted: false })),
    })),
  },
  {
    name: 'odds-without-culprits',
    sentence:
      'The odds count nobody who broke the tests, so that failures are looked at too often.',
    parts: misreading(({ judged }) => ({ judged: { ...judged, failed: 0 } })),
  },
  {
    name: 'odds-unasked',
    sentence: 'A single pull request is looked at once more without conviction by odds.',
    parts: engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => ({ policy: 'adaptive' })),
    }),
  },
]
