/** Defects of batches that grow: when they grow, and how far. */

import { rules, type Configuration } from '../../engine/index.ts'
import { engineWithRules, withMisreadQueue, withMisreadSettings } from '../run/altered-engines.ts'
import type { Defect } from './defect.ts'

const pairs = ({ policy, batchingMinSize }: Configuration): Partial<Configuration> =>
  policy === 'adaptive' ? { batchingMinSize: Math.min(2, batchingMinSize) } : {}

export const growingDefects: readonly Defect[] = [
  {
    name: 'batches-never-grow',
    sentence: 'Batches that may grow stay pairs, however many pull requests wait.',
    parts: engineWithRules({ formGroup: withMisreadSettings(rules.formGroup, pairs) }),
  },
  {
    name: 'batches-grow-at-once',
    sentence: 'Batches that may grow fill up to the target size, however few pull requests wait.',
    parts: engineWithRules({
      formGroup: withMisreadSettings(rules.formGroup, () => ({ policy: 'documented' })),
    }),
  },
  {
    name: 'batches-grow-past-half-a-failure',
    sentence: 'Batches grow with those that wait, however often pull requests break.',
    parts: engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, ({ configuration }) =>
        configuration.policy === 'adaptive' ? { judged: { count: 1000, failed: 0 } } : {},
      ),
    }),
  },
  {
    name: 'batches-stay-pairs-where-many-fail',
    sentence: 'Batches stay pairs although more than one pull request in five fails.',
    parts: engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, ({ judged: { count, failed } }) => ({
        judged: { count, failed: Math.min(failed, Math.floor((10 + count) / 5) - 1) },
      })),
    }),
  },
]
