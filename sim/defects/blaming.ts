/** Defects of the tests of the branch by itself. */

import { rules, type Configuration } from '../../engine/index.ts'
import {
  engineWithRules,
  evolving,
  evolvingAs,
  withMisreadSettings,
} from '../run/altered-engines.ts'
import type { Defect } from './defect.ts'

const off: () => Partial<Configuration> = () => ({ tipTestMode: 'off' })

export const blamingDefects: readonly Defect[] = [
  {
    name: 'tip-unasked-for-single',
    sentence: 'A single pull request is FAILED although the branch was not tested by itself.',
    parts: engineWithRules({ settleFailure: withMisreadSettings(rules.settleFailure, off) }),
  },
  {
    name: 'tip-unasked-in-bisections',
    sentence: 'A bisection convicts its first member although the branch was not tested by itself.',
    parts: engineWithRules({ advanceBisection: withMisreadSettings(rules.advanceBisection, off) }),
  },
  {
    name: 'tip-sound-after-push',
    sentence: 'A branch that has passed counts as sound also after a push.',
    parts: evolving((queue) => {
      delete queue.pushedAt
    }),
  },
  {
    name: 'failed-tip-counts-as-passed',
    sentence: 'A branch that fails by itself counts as sound.',
    parts: evolvingAs((event) =>
      event.type === 'tipTested' ? { ...event, failure: null } : event,
    ),
  },
  {
    name: 'tip-sound-from-the-start',
    sentence: 'A branch that passes counts as sound also before another lane has mended it.',
    parts: evolving((queue) => {
      if (queue.tipTest) queue.tipTest = { ...queue.tipTest, soundFrom: 0 }
    }),
  },
  {
    name: 'tip-passed-before-the-timeout',
    sentence: 'An earlier pass of the branch by itself makes a timeout count.',
    parts: evolving((queue) => {
      if (queue.tipTest) queue.tipTest = { ...queue.tipTest, run: Infinity }
    }),
  },
  {
    name: 'stop-ignored-by-the-order',
    sentence: 'While the branch fails by itself, pull requests enter the line.',
    parts: engineWithRules({ formGroup: withMisreadSettings(rules.formGroup, off) }),
  },
  {
    name: 'stop-ignored-by-bisections',
    sentence: 'While the branch fails by itself, bisections go on.',
    parts: engineWithRules({
      startBisectionRuns: withMisreadSettings(rules.startBisectionRuns, off),
      lookOnceMore: withMisreadSettings(rules.lookOnceMore, off),
    }),
  },
]
