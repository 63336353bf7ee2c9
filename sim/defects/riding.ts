/** Defects of survivors that ride along: when they wait, and for whom. */

import { rules } from '../../engine/index.ts'
import { engineWithRules, withMisreadQueue, withMisreadSettings } from '../run/altered-engines.ts'
import type { Defect } from './defect.ts'

export const ridingDefects: readonly Defect[] = [
  {
    name: 'survivors-ride-with-nobody',
    sentence: 'Survivors are tested by themselves, although the next group would clear them.',
    parts: engineWithRules({
      startWaiting: withMisreadSettings(rules.startWaiting, () => ({ survivorsTakeAlong: false })),
    }),
  },
  {
    name: 'survivors-wait-too-long',
    sentence: 'Survivors wait for others longer than a batch waits to fill.',
    parts: engineWithRules({
      startWaiting: withMisreadSettings(
        rules.startWaiting,
        ({ batchingMaxWaitTimeMinutes: minutes }) => ({ batchingMaxWaitTimeMinutes: 2 * minutes }),
      ),
    }),
  },
  {
    name: 'survivors-keep-waiting-for-a-full-batch',
    sentence: 'Survivors wait for the next batch, and it waits to fill.',
    parts: engineWithRules({
      formGroup: withMisreadSettings(rules.formGroup, () => ({ survivorsTakeAlong: false })),
    }),
  },
  {
    name: 'survivors-wait-for-nobody',
    sentence: 'Survivors never wait for those of other bisections.',
    parts: engineWithRules({
      startWaiting: withMisreadQueue(rules.startWaiting, () => ({ bisections: [] })),
    }),
  },
]
