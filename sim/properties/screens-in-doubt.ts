import { isStillProjected } from '../ledger/projected-state.ts'
import { dueRunOf } from '../ledger/screening.ts'
import type { Property } from '../observe/property.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-189, E-190, E-191. Both sides: no group is tested alone that is likely to stand, and none
 * on top of predecessors that are not. A run that tested all that a main run would is a verdict, and
 * is not made a second time.
 */
export const screensInDoubt: Property = {
  name: 'screens-in-doubt',
  sentence:
    'With the adaptive policy a group is tested alone first exactly if its predecessors will probably not all pass, and it waits for its second run exactly as long as that is so.',
  watch({ check, ledger }) {
    return {
      isActive: () => ledger.settings.configuration.policy === 'adaptive',
      on: {
        testRunStarted({ run }, point) {
          const { owner, screening, tested } = run
          const group = owner.kind === 'main' ? ledger.line.group(owner.group) : undefined
          if (!group) return
          const due = dueRunOf(ledger, group)
          const is = screening ? 'alone' : 'on top'
          check(is === due, point, () => ({
            story: `At ${minute(point.at)} run ${run.id} tests ${pullRequests(tested)} ${is === 'alone' ? 'alone' : 'on top of its predecessors'}, but ${due === 'nothing' ? 'it has to wait' : `it has to be tested ${due}`}.`,
            pullRequests: tested,
          }))
        },
        groupScreened({ group: id }, point) {
          const group = ledger.line.group(id)
          const record = ledger.runs.find(group?.run?.id ?? null)
          const isScreening =
            group !== undefined &&
            record?.run.screening === true &&
            record.outcome === 'passed' &&
            !isStillProjected(ledger, group, record)
          check(isScreening, point, () => ({
            story: `At ${minute(point.at)} group ${id} of ${pullRequests(group?.members ?? [])} is to be tested a second time, but no screening run has passed, or it tested all that is below the group.`,
            pullRequests: group?.members ?? [],
          }))
        },
      },
    }
  },
}
