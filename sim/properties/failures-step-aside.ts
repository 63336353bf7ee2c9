import { holdDepth } from '../ledger/hold-depth.ts'
import type { Property } from '../observe/property.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-187, E-192, E-226. That the groups behind leave it out, and that those that held it restart, is
 * checked with every other base and every other restart.
 */
export const failuresStepAside: Property = {
  name: 'failures-step-aside',
  sentence:
    'A failure steps aside at once exactly if the policy is adaptive and no verdict on top of it is awaited, or if the group was tested alone.',
  watch({ check, ledger }) {
    const { settings } = ledger
    return {
      isActive: () => settings.configuration.policy === 'adaptive',
      on: {
        groupFailed({ group: id, aside }, point) {
          const group = ledger.line.group(id)
          const isAdaptive = settings.configuration.policy === 'adaptive'
          const has = group?.run?.screening === true || (isAdaptive && holdDepth(ledger) === 0)
          check(has === (aside === true), point, () => ({
            story: `At ${minute(point.at)} the failure of ${pullRequests(group?.members ?? [])} ${has ? 'has to step' : 'must not step'} aside.`,
            pullRequests: group?.members ?? [],
          }))
        },
      },
    }
  },
}
