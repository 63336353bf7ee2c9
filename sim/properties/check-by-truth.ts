import type { Check, ObservedRun } from '../observe/property.ts'

/**
 * A check of what depends on the truth about pull requests. It checks nothing more once lanes have
 * clashed that declared no target in common: which pull request that hits depends on timing. The
 * result reports such clashes.
 */
export function checkByTruth({ check, ledger }: Pick<ObservedRun, 'check' | 'ledger'>): Check {
  return (holds, point, describe) => {
    if (!ledger.laneClashes.any) check(holds, point, describe)
  }
}
